//! QR codes of texts, links, Wi-Fi, contacts, mails, messages, numbers, places and events.
import {
  attempt,
  choice,
  color,
  date,
  download,
  file,
  line,
  number,
  pairs,
  picture,
  refuse,
  secret,
  text,
  time,
  toggle,
  tool,
} from '../../kit/tool.js';
import { toBase64 } from '../../lib/bytes.js';
import { writePng } from '../../lib/image/png.js';
import { inField } from '../../lib/positions.js';
import { check, payload } from './content.js';
import { hidden, markOf, paste } from './logo.js';

const MODES = { numeric: 'digits', alphanumeric: 'characters', byte: 'bytes', utf8: 'bytes' };
const LEVELS = {
  low: 'Low (7 %)',
  medium: 'Medium (15 %)',
  quartile: 'Quartile (25 %)',
  high: 'High (30 %)',
};
const when = (/** @type {string[]} */ ...kinds) => ({ when: { kind: kinds } });

const login = { when: { kind: 'wifi', security: 'WPA2-EAP' } };

/** @param {any} values @param {import('../../kit/types.d.ts').Context} context */
async function colorsOf(values, { warn }) {
  const colors = await import('../../lib/color/colors.js');
  const read = async (/** @type {'dark' | 'light'} */ field) =>
    colors.flatten(await colors.readColor(field, values[field], warn));
  const [dark, light] = [await read('dark'), await read('light')];
  const contrast = colors.contrastRatio(dark, light);
  if (colors.luminance(dark) > colors.luminance(light))
    warn('The code is lighter than its background. Many readers do not recognize it.');
  if (contrast < 3)
    warn(`The contrast of the colors is ${contrast.toFixed(1)}. Readers need 3 or more.`);
  if (values.margin < 4) warn('The margin is narrower than the 4 modules of the standard.');
  return { dark, light, ...colors };
}

/** Refuses a version that is too small or, without one, content that is too long. @param {string} kind @param {number | null} version @param {string} length @param {number} over @returns {never} */
function tooLong(kind, version, length, over) {
  if (version)
    return refuse(
      'version',
      `must hold ${length}, ${over} more than version ${version} does at this level`,
      { hint: 'Choose a higher version, or none.' },
    );
  // In kinds with several fields, any of them may be too long.
  const field = { text: 'text', link: 'link' }[kind] ?? 'kind';
  return refuse(field, `has ${length}, ${over} more than a QR code holds at this level`, {
    hint: 'Shorten it, or choose a lower error correction.',
  });
}

/** Refuses a logo that makes the code unreadable. @param {{ size: number, pixels: Uint8Array }} image @param {string} content */
async function checkRead({ size, pixels }, content) {
  const { readQr } = await import('../../lib/image/qr.js');
  const read = attempt(() => readQr({ width: size, height: size, data: pixels }));
  if (read !== content)
    refuse('logo', 'hides so much of the code that it cannot be read', {
      hint: 'Shorten the content, or widen the margin.',
    });
}

export default tool({
  more: 'level',
  options: 'level',
  fields: {
    kind: choice(
      'Content',
      {
        text: 'Text',
        link: 'Link',
        wifi: 'Wi-Fi',
        vcard: 'Contact (vCard 4)',
        email: 'E-mail',
        sms: 'SMS',
        phone: 'Phone number',
        place: 'Place',
        event: 'Event',
      },
      { beside: ['text', 'wifi', 'vcard'] },
    ),
    text: text('Text', { lines: 4, prose: true, max: 8192, ...when('text', 'email', 'sms') }),
    link: line('Link', { code: true, ...when('link') }),
    ssid: line('Network name', when('wifi')),
    security: choice(
      'Security',
      { WPA: 'WPA', WEP: 'WEP', 'WPA2-EAP': 'WPA Enterprise (EAP)', nopass: 'None' },
      when('wifi'),
    ),
    eap: choice('Method', { PEAP: 'PEAP', TTLS: 'TTLS', PWD: 'PWD' }, login),
    inner: choice(
      'Inner method',
      { MSCHAPV2: 'MSCHAPv2', GTC: 'GTC', PAP: 'PAP', '': 'None' },
      login,
    ),
    identity: line('User', login),
    anonymous: line('Anonymous identity', login),
    password: secret('Password', { when: { kind: 'wifi', security: ['WPA', 'WEP', 'WPA2-EAP'] } }),
    hidden: toggle('Hidden network', when('wifi')),
    name: line('Name', { ...when('vcard'), fills: 'name' }),
    organization: line('Organization', { ...when('vcard'), fills: 'organization' }),
    role: line('Role', { ...when('vcard'), fills: 'organization-title' }),
    email: line('E-mail', { ...when('vcard'), fills: 'email' }),
    url: line('Website', { ...when('vcard'), fills: 'url' }),
    address: line('Address', { ...when('vcard'), fills: 'street-address' }),
    to: line('To', when('email')),
    subject: line('Subject', when('email')),
    number: line('Phone number', { ...when('sms', 'phone', 'vcard'), fills: 'tel' }),
    title: line('Title', when('event')),
    place: line('Location', when('event')),
    date: date('Date', when('event')),
    from: time('From', { help: 'Leave empty for all day.', ...when('event') }),
    until: time('Until', when('event')),
    latitude: number('Latitude', { min: -90, max: 90, step: 'any', ...when('place') }),
    longitude: number('Longitude', { min: -180, max: 180, step: 'any', ...when('place') }),
    level: choice('Error correction', LEVELS, { value: 'medium' }),
    image: file('QR code image to read', { types: 'image/*', max: 20 << 20 }),
    logo: file('Logo in the middle', {
      types: 'image/png,image/jpeg,image/webp,image/gif',
      max: 1 << 20,
      help: 'Choose a picture. The error correction is raised, and the code is read again as a check.',
    }),
    version: number('Version', { min: 1, max: 40, help: 'Leave empty for the smallest.' }),
    margin: number('Margin', { value: 4, min: 0, max: 40, unit: 'modules' }),
    size: number('Size', { value: 512, min: 64, max: 2048, unit: 'px' }),
    dark: color('Dark color', { value: '#000000' }),
    light: color('Light color', { value: '#ffffff' }),
  },
  actions: [
    {
      title: 'Read the image',
      field: 'image',
      async run({ image }) {
        if (!image) refuse('image', 'is missing: choose a picture first');
        const { pixelsOf, readQr } = await import('../../lib/image/qr.js');
        const text = await inField('image', '', async () => readQr(await pixelsOf(image)));
        return { kind: 'text', text };
      },
    },
  ],
  async run({ level: wanted, version, margin, size, image: _, logo, ...values }, context) {
    const { capacity, lengthOf, modeOf, modulesOf, pixelsOf, smallestVersion, svgOf } =
      await import('./code.js');
    check(values);
    const content = payload(values);
    if (!content) return {};
    if (values.kind === 'link' && !/^[a-z][a-z\d+.-]*:/i.test(content))
      context.warn('The link has no scheme, such as https:, so readers may treat it as text.');
    const { dark, light, bytesOf, writeHex } = await colorsOf({ ...values, margin }, context);
    const level = logo ? 'high' : wanted;
    if (level !== wanted)
      context.warn('The error correction is high, because the logo hides a part of the code.');
    const mode = modeOf(content);
    const length = lengthOf(content);
    const most = capacity(version ?? 40, level, mode);
    const used = version ?? smallestVersion(content, level);
    if (length > most || !used)
      tooLong(values.kind, version, `${length} ${MODES[mode]}`, length - most);
    const modules = modulesOf(content, level, Number(used));
    const side = hidden(modules.length);
    const svg = svgOf(modules, {
      ...{ margin, size, dark: writeHex(dark), light: writeHex(light) },
      logo: logo
        ? {
            href: `data:${logo.type.replace(/[^\w/+.-]/g, '')};base64,${toBase64(logo.bytes)}`,
            side,
          }
        : undefined,
    });
    const scale = Math.max(1, Math.floor(size / (modules.length + 2 * margin)));
    const image = pixelsOf(modules, { margin, scale, dark: bytesOf(dark), light: bytesOf(light) });
    if (logo) {
      const mark = () => markOf(logo, side * scale, scale / 2, writeHex(light));
      paste(image.pixels, image.size, await inField('logo', '', mark), side * scale);
      await checkRead(image, content);
    }
    return {
      code: picture(svg, { alt: 'QR code', file: 'qr-code.svg' }),
      png: download(await writePng(image.size, image.size, image.pixels), {
        file: 'qr-code.png',
        type: 'image/png',
      }),
      content,
      facts: pairs([
        ['Version', `${used} (${modules.length} × ${modules.length} modules)`],
        ['Mode', mode === 'utf8' ? 'byte, marked as UTF-8 (ECI 26)' : mode],
        ['Used', `${length} ${MODES[mode]}`],
        ['Room left', `${capacity(Number(used), level, mode) - length} ${MODES[mode]}`],
      ]),
    };
  },
  labels: { code: 'QR code', png: 'PNG' },
  product: { png: 'PNG' },
  examples: [
    {
      title: 'A link',
      values: { kind: 'link', link: 'https://www.example.org/' },
      outputs: { content: 'https://www.example.org/' },
    },
    {
      title: 'A place',
      values: { kind: 'place', latitude: 48.2082, longitude: 16.3738 },
    },
    {
      title: 'A phone number',
      values: { kind: 'phone', number: '+43 1 23456' },
    },
    { title: 'A network', values: { kind: 'wifi', ssid: 'Guests; 2nd floor', security: 'nopass' } },
  ],
});
