// The pages in a browser, as a person meets them. usage: node check.mjs URL KEY LOG [FOLDER]
// URL is where api-server listens, with its mail going to the file LOG; KEY is one of its keys. With a FOLDER
// it leaves a picture of each page there. What it needs (playwright-core, axe-core) lies in a folder above.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { check, tally } from './tally.mjs';

const [base, key, log, pictures] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PATIENCE_MS = 20_000;
const SCHEMES = ['light', 'dark'];
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };
const DOCUMENTS = { rest: '/toolkit/docs', mcp: '/toolkit/docs/mcp' };
// What depends on the moment of a call.
const FLEETING = ['relative', 'expires_in_seconds', 'next_runs'];

// The links of the confirmation mail to an address that subscribes.
async function subscribe(email) {
  const answer = await fetch(`${base}/toolkit/api/subscribe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
    body: JSON.stringify({ email, app_id: 'docs' }),
  });
  assert.equal(answer.status, 200, await answer.text());
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await new Promise(go => setTimeout(go, 50))) {
    const mail = readFileSync(log, 'utf8').split('\n').find(line => line.includes(email));
    const links = mail?.match(/http:[^\s"\\]+token=[\w-]+/g);
    if (links) return { confirm: links[0], unsubscribe: links[1] };
  }
  throw new Error(`no mail to ${email}`);
}

// A page in a fresh browser profile, and what went wrong on it so far.
async function open(browser, url, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wrong = [];
  page.on('console', message => ['error', 'warning'].includes(message.type()) && wrong.push(message.text()));
  page.on('pageerror', error => wrong.push(error.message));
  page.on('request', request => {
    if (!request.url().startsWith(`${base}/`) && !request.url().startsWith('data:')) wrong.push(request.url());
  });
  const response = await page.goto(url);
  assert.equal(response.status(), 200, url);
  return { context, page, wrong, headers: response.headers() };
}

// What holds for every page, whatever its size and colours.
async function judge({ page, wrong, headers }) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `it is ${content} px wide in a window of ${window}`);
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const found = await globalThis.axe.run({ resultTypes: ['violations'] });
    return found.violations.flatMap(({ id, nodes }) => nodes.map(node => `${id} at ${node.target}`));
  });
  assert.deepEqual(violations, []);
  const loose = await page.$$eval('a[href^="#"]', links =>
    links.map(link => link.hash.slice(1)).filter(id => !document.getElementById(id)));
  assert.deepEqual(loose, [], 'links that lead nowhere');
  assert.match(headers['content-security-policy'], /^default-src 'none'/);
  assert.doesNotMatch(headers['content-security-policy'], /unsafe/);
  assert.deepEqual(wrong, []);
}

// A person without a mouse gets past the contents.
async function skips({ page }) {
  await page.keyboard.press('Tab');
  const seen = await page.evaluate(() => {
    const box = document.activeElement.getBoundingClientRect();
    return { text: document.activeElement.textContent, top: box.top, outline: getComputedStyle(document.activeElement).outlineStyle };
  });
  assert.deepEqual([seen.text, seen.outline], ['Skip to content', 'solid']);
  assert.ok(seen.top >= 0, 'it is outside of the window');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
}

async function copies({ context, page }) {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const box = page.locator('.code').nth(1);
  await box.hover();
  await box.getByRole('button', { name: 'Copy' }).click();
  // Its icon becomes a tick, and a reader of the screen is told.
  await box.locator('button[data-copied]').waitFor();
  await page.getByText('Copied', { exact: true }).first().waitFor({ state: 'attached' });
  // The pages' policy lets nothing read the clipboard, so what was copied is pasted.
  await page.evaluate(() => {
    const field = document.createElement('textarea');
    field.id = 'pasted';
    document.body.append(field);
    field.focus();
  });
  await page.keyboard.press('Control+V');
  assert.equal(await page.locator('#pasted').inputValue(), await box.locator('code').textContent());
}

// Presses the button of a page, with scripts turned off.
async function press(browser, url, button, outcome) {
  const { context, page, wrong } = await open(browser, url, { javaScriptEnabled: false });
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('heading', { name: outcome }).waitFor({ timeout: PATIENCE_MS });
  assert.deepEqual(wrong, []);
  await context.close();
}

// An answer without what depends on the moment of the call, or on chance.
function still(answer) {
  if (answer.result?.detected === 'now') return { ...answer, result: Object.keys(answer.result).sort() };
  for (const name of FLEETING) delete answer.result?.[name];
  return Array.isArray(answer.result) ? { ...answer, result: answer.result.length } : answer;
}

// Runs each command of a page's examples.
async function examples(browser) {
  const { context, page } = await open(browser, base + DOCUMENTS.rest, {});
  const shown = await page.$$eval('.example', figures =>
    figures.map(figure => [...figure.querySelectorAll('code')].slice(-2).map(code => code.textContent)));
  await context.close();
  assert.ok(shown.length >= 13, `only ${shown.length} examples`);
  for (const [command, printed] of shown) {
    const given = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
    assert.deepEqual(still(JSON.parse(given)), still(JSON.parse(printed)), command);
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
});
try {
  const mail = await subscribe('ada@example.org');
  const documents = Object.entries(DOCUMENTS).map(([name, path]) => [name, base + path]);
  for (const colorScheme of SCHEMES) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const [name, url] of [...documents, ...Object.entries(mail)]) {
        const opened = await open(browser, url, { colorScheme, viewport });
        if (pictures) await opened.page.screenshot({ path: `${pictures}/${name}-${size}-${colorScheme}.png`, fullPage: true });
        await check(`${name}, ${size}, ${colorScheme}`, () => judge(opened));
        await opened.context.close();
      }
    }
  }
  for (const [name, url] of documents) {
    const opened = await open(browser, url, {});
    await check(`${name}, the keyboard skips the contents`, () => skips(opened));
    await check(`${name}, a button copies`, () => copies(opened));
    await opened.context.close();
  }
  await check('every example of the REST page gives the answer that is printed', () => examples(browser));
  await check('a subscription is confirmed', () =>
    press(browser, mail.confirm, 'Confirm subscription', 'Your subscription is confirmed'));
  await check('an address is unsubscribed', () =>
    press(browser, mail.unsubscribe, 'Unsubscribe', 'You are unsubscribed'));
} finally {
  await browser.close();
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 ? 0 : 1;
