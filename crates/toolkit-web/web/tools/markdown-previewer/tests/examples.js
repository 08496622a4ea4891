//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'HTML is shown as text': {
    html: '<p>Hello &lt;b onclick=&quot;x()&quot;&gt;you&lt;/b&gt; and <a href="">a link</a></p>',
  },
};
