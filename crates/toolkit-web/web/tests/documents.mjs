//! HTML and Markdown in Chromium: formatting keeps the document, and nothing runs or is fetched.
//! Dates: the browser's own Temporal agrees with the polyfill.
//! `node tests/documents.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHEETS, SYNTAX } from '../tools/css-formatter/tests/vectors.js';
import { toHtml } from '../tools/markdown-previewer/markdown.js';
import { outputs, reaches, until } from './chromium.mjs';
import { runTool, seeded, suite } from './run.mjs';
import { of, onBlankPage, openPage, visit, web } from './tool-pages.mjs';

/** Ways to run or to fetch something; `/canary` must never be requested. */
const ATTACKS = [
  '<script>alert(1)</script>',
  '<script src=//127.0.0.1/canary></script>',
  '<img src=x onerror=alert(1)>',
  '<img src="http://127.0.0.1/canary">',
  '<img srcset="http://127.0.0.1/canary 2x" src="data:,">',
  '<img src="&#104;ttp://127.0.0.1/canary">',
  '<img src=" \tht\ntp://127.0.0.1/canary">',
  '<img src="/canary">',
  '<img dynsrc="http://127.0.0.1/canary" lowsrc="http://127.0.0.1/canary">',
  '<picture><source srcset="http://127.0.0.1/canary"><img src="data:,"></picture>',
  '<svg/onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><script href="data:text/javascript,alert(1)"/></svg>',
  '<svg><image href="http://127.0.0.1/canary" width="9" height="9"/></svg>',
  '<svg><image xlink:href="http://127.0.0.1/canary" width="9" height="9"/></svg>',
  '<svg><use href="http://127.0.0.1/canary#a"/></svg>',
  '<svg><filter id="f"><feImage href="http://127.0.0.1/canary"/></filter><rect filter="url(#f)" width="9" height="9"/></svg>',
  '<svg><rect fill="url(http://127.0.0.1/canary#a)" width="9" height="9"/></svg>',
  '<svg><rect style="fill:url(http://127.0.0.1/canary#a)" width="9" height="9"/></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text y="9">x</text></a></svg>',
  '<svg><set attributeName="onload" to="alert(1)"/></svg>',
  '<svg><animate attributeName="href" values="javascript:alert(1)"/></svg>',
  '<svg><style>@import "http://127.0.0.1/canary";</style></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<math href="javascript:alert(1)">x</math>',
  '<body onload=alert(1)>',
  '<body background="http://127.0.0.1/canary">',
  '<table background="http://127.0.0.1/canary"><tr><td background="http://127.0.0.1/canary">x',
  '<div style="background:url(http://127.0.0.1/canary)">x</div>',
  '<style>*{background:url(http://127.0.0.1/canary)}</style>',
  '<link rel=stylesheet href=http://127.0.0.1/canary>',
  '<link rel=prefetch href=http://127.0.0.1/canary><link rel=dns-prefetch href=//canary.example>',
  '<meta http-equiv=refresh content="0;url=http://127.0.0.1/canary">',
  '<base href="http://127.0.0.1/canary/"><img src=a>',
  '<iframe src="http://127.0.0.1/canary"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="http://127.0.0.1/canary"></object>',
  '<embed src="http://127.0.0.1/canary">',
  '<applet code="canary" archive="http://127.0.0.1/canary"></applet>',
  '<video poster="http://127.0.0.1/canary"><source src="http://127.0.0.1/canary" onerror=alert(1)></video>',
  '<audio src="http://127.0.0.1/canary" autoplay onerror=alert(1)></audio>',
  '<video src="http://127.0.0.1/canary" autoplay></video>',
  '<video><track default src="http://127.0.0.1/canary"></video>',
  '<input type=image src="http://127.0.0.1/canary">',
  '<input autofocus onfocus=alert(1)>',
  '<select autofocus onfocus=alert(1)><option>x',
  '<textarea autofocus onfocus=alert(1)></textarea>',
  '<details open ontoggle=alert(1)>x</details>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<form action="http://127.0.0.1/canary"><button autofocus>x</button></form>',
  '<isindex action=javascript:alert(1) type=image>',
  '<a href="javascript:alert(1)" autofocus>x</a>',
  '<a href="&#x6A;avascript&colon;alert(1)">x</a>',
  '<a href="java\u0000script:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a ping="http://127.0.0.1/canary" href="#">x</a>',
  '[x](javascript:alert(1)) ![x](http://127.0.0.1/canary) ![x](javascript:alert(1))',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<!--><img src=x onerror=alert(1)>-->',
  '<xss onmouseover=alert(1) style="position:fixed;inset:0">x</xss>',
  '<img src=`x`onerror=alert(1)>',
  '<<script>alert(1);//<</script>',
  '<IMG """><SCRIPT>alert(1)</SCRIPT>">',
  '<a id=document><a id=document name=cookie>',
  '<p slot=x is=x-y contenteditable oninput=alert(1)>',
];

of('html-formatter', (load) => {
  /** The tree of a document as text, without white space. */
  const SHAPE = `globalThis.shape = (source) => {
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/[ \\t\\r\\n\\f]+/g, '');
      if (node.nodeType === Node.COMMENT_NODE) return '<!--' + node.data + '-->';
      if (node.nodeType === Node.DOCUMENT_TYPE_NODE) return '<!' + [node.name, node.publicId, node.systemId] + '>';
      const attributes = [...(node.attributes ?? [])].map(({ name, value }) => name + '=' + JSON.stringify(value));
      const inside = node instanceof HTMLTemplateElement ? node.content : node;
      return '<' + [node.nodeName, node.namespaceURI, ...attributes.sort()].join(' ') + '>' + [...inside.childNodes].map(walk).join('') + '</>';
    };
    // A fragment is meant for a document that has a DOCTYPE.
    const isFragment = !/<(?:!doctype|html|head|body|frameset)\\b/i.test(source);
    return walk(new DOMParser().parseFromString((isFragment ? '<!doctype html>' : '') + source, 'text/html'));
  };`;

  for (const [mode, count] of /** @type {const} */ ([
    ['format', 1589],
    ['minify', 1755],
  ]))
    test(`${mode}: html5lib tree construction inputs stay the same document`, async (t) => {
      const cases = suite(t, 'html_tree_construction');
      if (!cases) return;
      const tool = await load();
      /** @type {[string, string][]} */
      const pairs = [];
      for (const { input } of cases) {
        const values = { text: input, mode, embedded: false, comments: false };
        const { outputs } = await runTool(tool, values);
        if (outputs.output) pairs.push([input, outputs.output.text]);
      }
      assert.equal(pairs.length, count);
      const changed = await onBlankPage(async (page) => {
        await page.evaluate(SHAPE);
        return page.evaluate((pairs) => {
          const { shape } = /** @type {any} */ (globalThis);
          return pairs.filter(([before, after]) => shape(before) !== shape(after));
        }, pairs);
      });
      // In a select, parse5 ignores this tag.
      const isKnown = (/** @type {[string, string]} */ [before]) =>
        mode === 'format' && before.includes('<select><plaintext>');
      assert.deepEqual(
        changed.filter((pair) => !isKnown(pair)),
        [],
      );
    });

  test('the preview runs and fetches nothing of a hostile text', async () => {
    const { page, asked, close } = await visit('html-formatter');
    await page.locator('details.more > summary').click();
    await page.locator('[name=show_preview]').check();
    const count = asked.length;
    let shown = 0;
    for (const attack of ATTACKS.slice(0, 12)) {
      await page.locator('[name=text]').fill(`<p>begin</p>${attack}`);
      if ((await reaches(page, 'done', 'refused')) === 'refused') continue;
      await page.locator('#tab-preview').click();
      await page.frameLocator('iframe').getByText('begin').first().waitFor();
      shown += 1;
    }
    assert.ok(shown >= 8, String(shown));
    assert.deepEqual(
      asked.slice(count).filter((url) => !url.startsWith(`${web()}/assets/`)),
      [],
    );
    await close();
  });
});

of('meta-tag-generator', (load) => {
  test('Chromium parses the tags, and hostile values round-trip exactly', async () => {
    const tool = await load();
    const next = seeded(40);
    const pieces = [
      ...[
        '"',
        "'",
        '<',
        '>',
        '&',
        '&amp;',
        '&#60;',
        '&copy',
        '</title>',
        '</script>',
        '<!--',
        '-->',
      ],
      ...[
        ']]>',
        '<script>',
        '=',
        '`',
        '/',
        '\\',
        ' ',
        '  ',
        '\t',
        'é',
        '😀',
        '\u2028',
        '\u00a0',
        'x',
      ],
    ];
    const text = () =>
      Array.from({ length: 1 + next(8) }, () => pieces[next(pieces.length)]).join('');
    await onBlankPage(async (page) => {
      for (let round = 0; round < 200; round++) {
        const [title, description, alt, site, author, section, handle] = Array.from(
          { length: 7 },
          () => `a${text()}z`,
        );
        const address = `https://example.org/?q=${encodeURIComponent(text())}&b="'`;
        const values = {
          ...{ title, description, alt, site, author, section, handle },
          ...{ canonical: address, image: address, width: 1200, height: 630 },
          ...{ type: 'article', json_ld: 'Article', card: 'summary', theme: '#123456' },
          alternates: [{ lang: 'x-default', url: address }],
        };
        const { outputs, refusal } = await runTool(tool, values);
        assert.equal(refusal, undefined, JSON.stringify(values));
        const read = await page.evaluate((html) => {
          const { head, body } = new DOMParser().parseFromString(html, 'text/html');
          const of = (/** @type {string} */ query, /** @type {string} */ name) =>
            head.querySelector(query)?.getAttribute(name);
          const json = JSON.parse(head.querySelector('script')?.text ?? '');
          return {
            names: [...head.children].map(({ localName }) => localName).join(' '),
            body: body.innerHTML.trim(),
            title: head.querySelector('title')?.text,
            descriptions: ['[name=description]', '[property="og:description"]'].map((query) =>
              of(query, 'content'),
            ),
            four: ['title', 'type', 'url', 'image'].map((name) =>
              of(`[property="og:${name}"]`, 'content'),
            ),
            others: [
              ...['og:image:alt', 'og:site_name', 'article:section'].map((name) =>
                of(`[property="${name}"]`, 'content'),
              ),
              of('[name=author]', 'content'),
              of('[name="twitter:site"]', 'content'),
            ],
            links: [of('[rel=canonical]', 'href'), of('[hreflang=x-default]', 'href')],
            json: [json.headline, json.author.name, json.url],
          };
        }, outputs.html.text);
        assert.deepEqual(read, {
          names: `meta meta title meta meta meta link link${' meta'.repeat(16)} script`,
          body: '',
          title,
          descriptions: [description, description],
          four: [title, 'article', address, address],
          others: [alt, site, section, author, handle],
          links: [address, address],
          json: [title, author, address],
        });
      }
    });
  });
});

of('css-formatter', (load) => {
  /** The rules of a style sheet as serialised by Chromium, with runs of white space collapsed. */
  const RULES = `globalThis.rules = (source) => {
    const style = document.createElement('style');
    style.textContent = source;
    document.head.append(style);
    const text = [...style.sheet.cssRules].map((rule) => rule.cssText).join('\\n');
    style.remove();
    return text
      .replace(/\\/\\*[^]*?\\*\\//g, ' ')
      .replace(/\\s*("[^"]*")\\s*/g, '$1')
      .replace(/\\s+/g, ' ')
      .replace(/(?<=[({;] ?[\\w-]+) :(?= )/g, ':')
      .replace(/(?<=[(:,{;]) | (?=[),};])/g, '')
      .replace(/;(?=})/g, '');
  };`;

  for (const mode of ['minify', 'format'])
    test(`${mode}: the rules that Chromium reads stay the same`, async (t) => {
      const suites = suite(t, 'css_postcss_parser_tests') ?? [];
      const inputs = suites.map((/** @type {{ input: string }} */ one) => one.input);
      const tool = await load();
      /** @type {[string, string][]} */
      const pairs = [];
      for (const text of [...SHEETS, ...SYNTAX, ...inputs]) {
        const { outputs, warnings } = await runTool(tool, { text, mode });
        if (outputs.output && warnings.length === 0) pairs.push([text, outputs.output.text]);
      }
      const { changed, rules } = await onBlankPage(async (page) => {
        await page.evaluate(RULES);
        return page.evaluate((pairs) => {
          const { rules } = /** @type {any} */ (globalThis);
          const read = pairs.map(([before, after]) => [rules(before), rules(after)]);
          return {
            changed: read.filter(([before, after]) => before !== after),
            rules: read.filter(([before]) => before !== '').length,
          };
        }, pairs);
      });
      assert.deepEqual(changed, []);
      t.diagnostic(`${rules} of ${pairs.length} style sheets have rules`);
      assert.ok(rules >= SHEETS.length + SYNTAX.length - 7, String(rules));
    });
});

of('timezone-converter', () => {
  test("the browser's own Temporal agrees with the polyfill", async (t) => {
    const { page, close } = await visit('timezone-converter');
    const found = await page.evaluate(async () => {
      const own = /** @type {any} */ (globalThis).Temporal;
      if (!own) return undefined;
      const { assets } = document.documentElement.dataset;
      const file = `${location.origin}${assets}/libraries/temporal-polyfill.js`;
      const { Temporal: polyfill } = await import(file);
      const zones =
        'Australia/Lord_Howe Pacific/Kiritimati Pacific/Apia Africa/Casablanca Europe/Berlin Europe/London Europe/Dublin America/New_York America/Sao_Paulo America/Caracas America/St_Johns Asia/Kolkata Asia/Kathmandu Asia/Tehran Asia/Pyongyang Africa/Cairo Antarctica/Troll UTC +05:30'.split(
          ' ',
        );
      let state = 7;
      const next = (/** @type {number} */ below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      const pad = (/** @type {number} */ number) => String(number).padStart(2, '0');
      const dateOf = () => `${1970 + next(67)}-${pad(1 + next(12))}-${pad(1 + next(28))}`;
      /** @type {string[]} */
      const different = [];
      let count = 0;
      const compare = (/** @type {(api: any) => unknown} */ act) => {
        const [one, two] = [own, polyfill].map((api) => {
          try {
            return String(act(api));
          } catch (error) {
            return /** @type {Error} */ (error).name;
          }
        });
        count += 1;
        if (one !== two) different.push(`${one} is not ${two}`);
      };
      for (const zone of zones) {
        let at = own.Instant.from('1970-01-01T00:00Z').toZonedDateTimeISO(zone);
        for (let change = 0; change < 150 && at; change++) {
          const text = at.toString();
          compare((api) => api.ZonedDateTime.from(text).getTimeZoneTransition('next'));
          at = at.getTimeZoneTransition('next');
        }
        for (let round = 0; round < 200; round++) {
          const local = `${dateOf()}T${pad(next(24))}:${pad(next(60))}[${zone}]`;
          const disambiguation = ['earlier', 'later', 'reject'][next(3)];
          compare((api) => api.ZonedDateTime.from(local, { disambiguation }));
        }
      }
      for (let round = 0; round < 3000; round++) {
        const [from, to] = [dateOf(), dateOf()];
        const largestUnit = ['years', 'months', 'weeks', 'days'][next(4)];
        compare((api) => api.PlainDate.from(from).until(to, { largestUnit }));
        const months = next(600) - 300;
        const overflow = ['constrain', 'reject'][next(2)];
        const days = next(40);
        compare((api) => api.PlainDate.from(from).add({ months, days }, { overflow }));
      }
      return { count, different };
    });
    await close();
    if (!found) return t.skip('this browser has no Temporal');
    assert.deepEqual(found.different, []);
    assert.ok(found.count > 10_000, String(found.count));
  });
});

of('jsonpath-tester', () => {
  test('a runaway match() ends at the time limit, and the page says so', async () => {
    const { page, close } = await visit('jsonpath-tester');
    await page.locator('[name=text]').fill(JSON.stringify(['a'.repeat(40)]));
    await page.locator('[name=expression]').fill('$[?match(@, "(a|a)*b")]');
    await page.keyboard.press('Control+Enter');
    await reaches(page, 'refused');
    const told = page.locator('.status:visible');
    await told.filter({ hasText: 'The run was stopped after 10 seconds' }).waitFor();
    await page.locator('[name=expression]').fill('$[0]');
    await reaches(page, 'done');
    await close();
  });
});

of('markdown-previewer', () => {
  test('attack strings run nothing and fetch nothing, even without frame and policy', async (t) => {
    /** @type {{ input: string }[]} */
    const cases = suite(t, 'html_sanitizer_dompurify') ?? [];
    const inputs = [...ATTACKS, ...cases.map(({ input }) => input)];
    const tool = await visit('markdown-previewer');
    const clean = await tool.page.evaluate(
      async (documents) => {
        const { assets } = document.documentElement.dataset;
        const { sanitize } = await import(`${location.origin}${assets}/kit/preview.js`);
        return documents.map(sanitize);
      },
      inputs.map((input) => toHtml(input, { github: true, raw: true })),
    );
    await tool.close();
    const { page, asked, said, close } = await openPage();
    /** @type {string[]} */
    const ran = [];
    let at = 0;
    page.on('dialog', async (dialog) => {
      ran.push(`${inputs[at]} → ${clean[at]}`);
      await dialog.dismiss();
    });
    for (; at < clean.length; at++) {
      const before = asked.length;
      await page.setContent(`<!doctype html><body>${clean[at]}</body>`);
      for (const url of asked.slice(before)) ran.push(`${url}: ${inputs[at]} → ${clean[at]}`);
    }
    assert.deepEqual(ran, []);
    assert.deepEqual(said, []);
    assert.equal(page.url(), 'about:blank');
    await close();
    t.diagnostic(`${inputs.length} attack strings`);
  });

  test('the page runs and fetches nothing of a hostile text', async () => {
    const { page, asked, close } = await visit('markdown-previewer');
    await page.locator('[name=raw]').check();
    const count = asked.length;
    for (const attack of ATTACKS.slice(0, 12)) {
      await page.locator('[name=markdown]').fill(`${attack}\n\nend`);
      await reaches(page, 'done');
      await page.frameLocator('iframe').getByText('end').first().waitFor();
    }
    assert.deepEqual(
      asked.slice(count).filter((url) => !url.startsWith(`${web()}/assets/`)),
      [],
    );
    await close();
  });

  test('a link in the preview opens a page of its own, without access to this one', async () => {
    const { page, context, close } = await visit('markdown-previewer');
    await page.locator('[name=markdown]').fill(`[away](${web()}/) [below](#a)\n\n# a`);
    await reaches(page, 'done');
    const frame = page.frameLocator('iframe');
    const opened = context.waitForEvent('page');
    await frame.getByText('away').click();
    const other = await opened;
    await other.waitForURL(`${web()}/`);
    assert.equal(await other.evaluate(() => globalThis.opener), null);
    assert.equal(await other.evaluate(() => document.referrer), '');
    assert.equal(await frame.getByText('below').getAttribute('target'), null);
    await frame.getByText('away').waitFor();
    await close();
  });

  test('the preview scrolls with the text', async () => {
    const { page, close } = await visit('markdown-previewer');
    const text = Array.from(
      { length: 200 },
      (_, at) => `paragraph number ${String(at).padStart(3, '0')}\n`,
    ).join('\n');
    await page.locator('[name=markdown]').fill(text);
    await reaches(page, 'done');
    const seen = (/** @type {number} */ at) =>
      page
        .frameLocator('iframe')
        .getByText(`paragraph number ${String(at).padStart(3, '0')}`, { exact: true })
        .evaluate((node) => {
          const { top } = node.getBoundingClientRect();
          return top >= -40 && top < innerHeight;
        })
        .catch(() => false);
    for (const [share, at] of /** @type {const} */ ([
      [0.5, 100],
      [1, 199],
      [0, 0],
    ])) {
      await page.locator('[name=markdown]').evaluate((field, share) => {
        field.scrollTop = share * (field.scrollHeight - field.clientHeight);
      }, share);
      await until(() => seen(at), `paragraph ${at} is shown`);
    }
    await close();
  });

  test('a text over 1 MiB waits for the button', async () => {
    const { page, close } = await visit('markdown-previewer');
    const text = `# Title\n\n${'word '.repeat(210_000)}`;
    await page.locator('[data-file=markdown]').setInputFiles({
      name: 'long.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from(text),
    });
    await until(() => page.getByText('Press Render or Ctrl+Enter.').isVisible(), 'the hint');
    await page.getByRole('button', { name: 'Render' }).click();
    await reaches(page, 'done');
    assert.match((await outputs(page)).html ?? '', /^<h1 id="title">Title<\/h1>/);
    await close();
  });
});
