//! HTML and Markdown in Chromium: the same documents, and nothing that runs or is fetched.
//! `node tests/documents.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputs, reaches, until } from './chromium.mjs';
import { runTool, suite } from './run.mjs';
import { of, onBlankPage, openPage, visit, web } from './tool-pages.mjs';

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
    return walk(new DOMParser().parseFromString(source, 'text/html'));
  };`;

  for (const mode of ['format', 'minify'])
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
      assert.equal(pairs.length, 1755);
      const changed = await onBlankPage(async (page) => {
        await page.evaluate(SHAPE);
        return page.evaluate((pairs) => {
          const { shape } = /** @type {any} */ (globalThis);
          return pairs.filter(([before, after]) => shape(before) !== shape(after));
        }, pairs);
      });
      assert.deepEqual(changed, []);
    });
});

of('markdown-previewer', () => {
  /** Ways to run or to fetch something; `/canary` must never be asked for. */
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

  test('attack strings run nothing and fetch nothing, even without frame and policy', async (t) => {
    /** @type {{ input: string }[]} */
    const cases = suite(t, 'html_sanitizer_dompurify') ?? [];
    const inputs = [...ATTACKS, ...cases.map(({ input }) => input)];
    const tool = await visit('markdown-previewer');
    const clean = await tool.page.evaluate(async (inputs) => {
      const { assets } = document.documentElement.dataset;
      const load = (/** @type {string} */ path) => import(`${location.origin}${assets}/${path}`);
      const [{ sanitize }, { toHtml }] = [
        await load('kit/preview.js'),
        await load('lib/markdown.js'),
      ];
      return inputs.map((input) => sanitize(toHtml(input, { github: true, raw: true })));
    }, inputs);
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

  test('the preview is scrolled with the text', async () => {
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
    await until(() => page.getByText('Press Run or Ctrl+Enter.').isVisible(), 'the hint');
    await page.getByRole('button', { name: 'Run' }).click();
    await reaches(page, 'done');
    assert.match((await outputs(page)).html ?? '', /^<h1 id="title">Title<\/h1>/);
    await close();
  });
});
