// The forms of docs/examples on a web site of another origin, as a person and a program meet them.
// usage: node forms.mjs URL EXAMPLES PROGRAM
// URL is where api-server listens, with ALTCHA; PROGRAM runs its commands; EXAMPLES is the folder with the forms. What it
// needs (playwright-core, altcha) lies in a folder above.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { check, tally } from './tally.mjs';

const [base, folder, program] = process.argv.slice(2);
const PATIENCE_MS = 60_000;
const widget = readFileSync(join(createRequire(import.meta.url).resolve('altcha'), '../altcha.min.js'));
const run = (...command) => execFileSync(program, command, { encoding: 'utf8' });
const ADA = { Name: 'Ada', 'E-mail address': 'ada@example.org', Message: 'Hello' };

// A web site with the forms, with the address of the service and a key filled in.
async function site(key) {
  const state = { key };
  const server = createServer((request, response) => {
    const name = new URL(request.url, base).pathname.slice(1);
    if (name === 'altcha.min.js') return response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(widget);
    if (!/^[\w-]+\.(html|js)$/.test(name)) return response.writeHead(404).end();
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('https://tools.example.org', base);
    response.writeHead(200, { 'Content-Type': name.endsWith('.js') ? 'text/javascript' : 'text/html' });
    response.end(text.replaceAll('pk_…', state.key));
  });
  await new Promise(go => server.listen(0, '127.0.0.1', go));
  return { server, state, url: `http://127.0.0.1:${server.address().port}` };
}

const own = await site();
const other = await site();
own.state.key = other.state.key = run('keys', 'create', '--site', own.url, '--quiet').trim();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run'],
});
const stored = () => run('messages', 'list').split('\n').length - 1;

// Fills in a form, waits for its check, and sends it.
async function send(page, url, typed, { button, before = () => {}, checked = true, form = 'form' }) {
  await page.goto(url);
  const within = page.locator(form);
  for (const [label, text] of Object.entries(typed)) await within.getByLabel(label).fill(text);
  if (checked) {
    await page.waitForFunction(selector => document.querySelector(selector).elements.altcha?.value, form, { timeout: PATIENCE_MS });
  }
  await before(page);
  await within.getByRole('button', { name: button, exact: true }).click();
}

async function on(options, work) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}

const heading = (page, name) => page.getByRole('heading', { name }).waitFor();
const contact = `${own.url}/contact-form.html`;
const SEND = { button: 'Send' };
try {
  await check('a message is sent by a form', () => on({}, async page => {
    const before = stored();
    await send(page, contact, ADA, SEND);
    await heading(page, 'Your message was sent');
    assert.equal(stored(), before + 1);
  }));
  await check('an address is subscribed by a form', () => on({}, async page => {
    await send(page, `${own.url}/subscribe-form.html`, { 'E-mail address': 'ada@example.org' }, { button: 'Subscribe' });
    await heading(page, 'Check your mailbox');
    assert.match(run('subscribers', 'list'), /pending\tdocs\tada@example.org/);
  }));
  await check('both forms are sent by a script, and the page stays', () => on({}, async page => {
    const url = `${own.url}/forms-by-script.html`;
    await send(page, url, ADA, { button: 'Send', form: 'form[action$=contact]' });
    await page.getByText('Thank you. Your message was sent.').waitFor();
    await send(page, url, { 'E-mail address': 'bob@example.org' }, { button: 'Subscribe', form: 'form[action$=subscribe]' });
    await page.getByText('Open the link in the mail').waitFor();
    assert.match(run('subscribers', 'list'), /pending\tdocs\tbob@example.org/);
  }));
  for (const name of ['contact-form', 'subscribe-form', 'forms-by-script']) {
    await check(`${name} without scripts says what is missing, and keeps what was typed`, () => on({ javaScriptEnabled: false }, async page => {
      const [typed, button] = name === 'subscribe-form' ? [{ 'E-mail address': 'ada@example.org' }, 'Subscribe'] : [ADA, 'Send'];
      const form = name === 'forms-by-script' ? 'form[action$=contact]' : 'form';
      await send(page, `${own.url}/${name}.html`, typed, { button, checked: false, form });
      await heading(page, 'Your form was not sent');
      await page.getByText('It needs JavaScript').waitFor();
      assert.equal(await page.getByLabel('E-mail address').inputValue(), 'ada@example.org');
    }));
  }
  await check('a page of another site is refused', () => on({}, async page => {
    await send(page, `${other.url}/contact-form.html`, ADA, SEND);
    await page.getByText('this request comes from elsewhere').waitFor();
  }));
  await check('a check that was used is refused', () => on({}, async page => {
    let used;
    await send(page, contact, ADA, { ...SEND, before: async () => { used = await page.inputValue('[name=altcha]'); } });
    await heading(page, 'Your message was sent');
    const reuse = () => page.$eval('form', (form, value) => { form.elements.altcha.value = value; }, used);
    await send(page, contact, ADA, { ...SEND, before: reuse });
    await page.getByText('is missing or has expired').waitFor();
  }));
  await check('a hidden field that the browser has filled in keeps no message out', () => on({}, async page => {
    const before = stored();
    const fill = () => page.$eval('form', form => {
      form.append(Object.assign(document.createElement('input'), { name: 'website', value: 'https://ada.example.org' }));
    });
    await send(page, contact, ADA, { ...SEND, before: fill });
    await heading(page, 'Your message was sent');
    assert.equal(stored(), before + 1);
  }));
  await check('a wrong field is named, corrected on the page of the error, and sent', () => on({}, async page => {
    const before = stored();
    const lax = () => page.$eval('form', form => { form.noValidate = true; });
    await send(page, contact, { ...ADA, 'E-mail address': 'ada' }, { ...SEND, before: lax });
    await page.getByText('Enter an e-mail address').waitFor();
    assert.equal(await page.getByLabel('Message').inputValue(), 'Hello');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByRole('button', { name: 'Send again' }).click();
    await heading(page, 'Your message was sent');
    assert.equal(stored(), before + 1);
  }));
  await check('a missing field is named', () => on({}, async page => {
    const lax = () => page.$eval('form', form => { form.noValidate = true; });
    await send(page, contact, { ...ADA, Message: '' }, { ...SEND, before: lax });
    await page.getByText('Enter a message').waitFor();
  }));
} finally {
  await browser.close();
  own.server.close();
  other.server.close();
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 ? 0 : 1;
