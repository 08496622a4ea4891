//! Outputs and warnings of examples, by title.
export default {
  'A page with an image': {
    html: `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Toolkit</title>
<meta name="description" content="Small developer tools.">
<link rel="canonical" href="https://www.example.org/">
<meta property="og:title" content="Toolkit">
<meta property="og:type" content="website">
<meta property="og:url" content="https://www.example.org/">
<meta property="og:image" content="https://www.example.org/card.png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="A list of tools">
<meta property="og:description" content="Small developer tools.">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:title" content="Toolkit">
<meta name="twitter:description" content="Small developer tools.">
<meta name="twitter:image" content="https://www.example.org/card.png">
<meta name="twitter:image:alt" content="A list of tools">
`,
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'A title alone': ['Open Graph requires og:url and og:image too.'],
};
