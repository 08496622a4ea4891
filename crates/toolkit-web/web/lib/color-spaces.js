//! CSS color spaces and conversions between them. Standard: CSS Color 4, sections 10 to 18.

/** @typedef {'srgb' | 'srgb-linear' | 'display-p3' | 'display-p3-linear' | 'a98-rgb' | 'prophoto-rgb' | 'rec2020' | 'xyz-d65' | 'xyz-d50' | 'lab' | 'lch' | 'oklab' | 'oklch' | 'hsl' | 'hwb'} Space */
/** Three coordinates; `null` is `none`. @typedef {[number | null, number | null, number | null]} Coords */
/** @typedef {[number, number, number]} Triple */
/** @typedef {{ space: Space, coords: Coords, alpha: number | null }} Color */
/** @typedef {readonly (readonly number[])[]} Matrix */

/** Names of the coordinates. @type {Record<Space, [string, string, string]>} */
export const CHANNELS = {
  srgb: ['r', 'g', 'b'],
  'srgb-linear': ['r', 'g', 'b'],
  'display-p3': ['r', 'g', 'b'],
  'display-p3-linear': ['r', 'g', 'b'],
  'a98-rgb': ['r', 'g', 'b'],
  'prophoto-rgb': ['r', 'g', 'b'],
  rec2020: ['r', 'g', 'b'],
  'xyz-d65': ['x', 'y', 'z'],
  'xyz-d50': ['x', 'y', 'z'],
  lab: ['l', 'a', 'b'],
  lch: ['l', 'c', 'h'],
  oklab: ['l', 'a', 'b'],
  oklch: ['l', 'c', 'h'],
  hsl: ['h', 's', 'l'],
  hwb: ['h', 'w', 'b'],
};

const SRGB = [
  [506752 / 1228815, 87881 / 245763, 12673 / 70218],
  [87098 / 409605, 175762 / 245763, 12673 / 175545],
  [7918 / 409605, 87881 / 737289, 1001167 / 1053270],
];
const P3 = [
  [608311 / 1250200, 189793 / 714400, 198249 / 1000160],
  [35783 / 156275, 247089 / 357200, 198249 / 2500400],
  [0, 32229 / 714400, 5220557 / 5000800],
];
const A98 = [
  [573536 / 994567, 263643 / 1420810, 187206 / 994567],
  [591459 / 1989134, 6239551 / 9945670, 374412 / 4972835],
  [53769 / 1989134, 351524 / 4972835, 4929758 / 4972835],
];
const REC2020 = [
  [63426534 / 99577255, 20160776 / 139408157, 47086771 / 278816314],
  [26158966 / 99577255, 472592308 / 697040785, 8267143 / 139408157],
  [0, 19567812 / 697040785, 295819943 / 278816314],
];
const PROPHOTO = [
  [0.7977666449006423, 0.13518129740053308, 0.0313477341283922],
  [0.2880748288194013, 0.711835234241873, 0.00008993693872564],
  [0, 0, 0.8251046025104602],
];
const D50 = [
  [1.0479297925449969, 0.022946870601609652, -0.05019226628920524],
  [0.02962780877005599, 0.9904344267538799, -0.017073799063418826],
  [-0.009243040646204504, 0.015055191490298152, 0.7518742814281371],
];
const LMS = [
  [0.819022437996703, 0.3619062600528904, -0.1288737815209879],
  [0.0329836539323885, 0.9292868615863434, 0.0361446663506424],
  [0.0481771893596242, 0.2642395317527308, 0.6335478284694309],
];
const OKLAB = [
  [0.210454268309314, 0.7936177747023054, -0.0040720430116193],
  [1.9779985324311684, -2.4285922420485799, 0.450593709617411],
  [0.0259040424655478, 0.7827717124575296, -0.8086757549230774],
];
const WHITE_D50 = [0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585];

/** @param {Matrix} m @param {Triple} v @returns {Triple} */
const multiply = (m, v) =>
  /** @type {Triple} */ (m.map((row) => row.reduce((sum, cell, i) => sum + cell * (v[i] ?? 0), 0)));

/** @param {Matrix} m @returns {Matrix} */
function inverse(m) {
  const at = (/** @type {number} */ r, /** @type {number} */ c) => m[r % 3]?.[c % 3] ?? 0;
  const cofactor = (/** @type {number} */ r, /** @type {number} */ c) =>
    at(r + 1, c + 1) * at(r + 2, c + 2) - at(r + 1, c + 2) * at(r + 2, c + 1);
  const determinant =
    at(0, 0) * cofactor(0, 0) + at(0, 1) * cofactor(0, 1) + at(0, 2) * cofactor(0, 2);
  return [0, 1, 2].map((r) => [0, 1, 2].map((c) => cofactor(c, r) / determinant));
}

/** Applies a curve to the magnitude of a number and keeps its sign. @param {(size: number) => number} curve */
const mirrored = (curve) => (/** @type {number} */ value) =>
  Math.sign(value) * curve(Math.abs(value));

const CURVES = {
  srgb: {
    linear: mirrored((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)),
    coded: mirrored((v) => (v > 0.0031308 ? 1.055 * v ** (1 / 2.4) - 0.055 : 12.92 * v)),
  },
  a98: { linear: mirrored((v) => v ** (563 / 256)), coded: mirrored((v) => v ** (256 / 563)) },
  prophoto: {
    linear: mirrored((v) => (v <= 16 / 512 ? v / 16 : v ** 1.8)),
    coded: mirrored((v) => (v >= 1 / 512 ? v ** (1 / 1.8) : 16 * v)),
  },
  rec2020: { linear: mirrored((v) => v ** 2.4), coded: mirrored((v) => v ** (1 / 2.4)) },
  none: { linear: (/** @type {number} */ v) => v, coded: (/** @type {number} */ v) => v },
};

/** A space with the conversions to and from its parent. @typedef {{ parent: Space, to: (v: Triple) => Triple, from: (v: Triple) => Triple }} Way */

/** @param {Matrix} matrix @param {keyof typeof CURVES} curve @param {Space} [parent] @returns {Way} */
function rgb(matrix, curve, parent = 'xyz-d65') {
  const back = inverse(matrix);
  const { linear, coded } = CURVES[curve];
  return {
    parent,
    to: (v) => multiply(matrix, /** @type {Triple} */ (v.map(linear))),
    from: (v) => /** @type {Triple} */ (multiply(back, v).map(coded)),
  };
}

/** @param {Space} parent @returns {Way} */
const polar = (parent) => ({
  parent,
  to: ([l, c, h]) => [l, c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)],
  from: ([l, a, b]) => [l, Math.hypot(a, b), turn((Math.atan2(b, a) * 180) / Math.PI)],
});

/** @param {number} angle */
export const turn = (angle) => ((angle % 360) + 360) % 360;

const FROM_D50 = inverse(D50);
const FROM_LMS = inverse(LMS);
const FROM_OKLAB = inverse(OKLAB);
const KAPPA = 24389 / 27;
const EPSILON = 216 / 24389;

/** @type {Record<Exclude<Space, 'xyz-d65'>, Way>} */
const WAYS = {
  srgb: rgb(SRGB, 'srgb'),
  'srgb-linear': rgb(SRGB, 'none'),
  'display-p3': rgb(P3, 'srgb'),
  'display-p3-linear': rgb(P3, 'none'),
  'a98-rgb': rgb(A98, 'a98'),
  rec2020: rgb(REC2020, 'rec2020'),
  'prophoto-rgb': rgb(PROPHOTO, 'prophoto', 'xyz-d50'),
  'xyz-d50': { parent: 'xyz-d65', to: (v) => multiply(FROM_D50, v), from: (v) => multiply(D50, v) },
  lab: { parent: 'xyz-d50', to: labToXyz, from: xyzToLab },
  lch: polar('lab'),
  oklab: {
    parent: 'xyz-d65',
    to: (v) =>
      multiply(FROM_LMS, /** @type {Triple} */ (multiply(FROM_OKLAB, v).map((x) => x ** 3))),
    from: (v) => multiply(OKLAB, /** @type {Triple} */ (multiply(LMS, v).map(Math.cbrt))),
  },
  oklch: polar('oklab'),
  hsl: { parent: 'srgb', to: hslToRgb, from: rgbToHsl },
  hwb: { parent: 'srgb', to: hwbToRgb, from: rgbToHwb },
};

/** @param {Triple} lab @returns {Triple} */
function labToXyz([l, a, b]) {
  const y = (l + 16) / 116;
  const f = [y + a / 500, y, y - b / 200];
  const size = f.map((v, i) => {
    if (i === 1) return l > KAPPA * EPSILON ? v ** 3 : l / KAPPA;
    return v ** 3 > EPSILON ? v ** 3 : (116 * v - 16) / KAPPA;
  });
  return /** @type {Triple} */ (size.map((v, i) => v * (WHITE_D50[i] ?? 0)));
}

/** @param {Triple} xyz @returns {Triple} */
function xyzToLab(xyz) {
  const [x, y, z] = /** @type {Triple} */ (
    xyz
      .map((v, i) => v / (WHITE_D50[i] ?? 1))
      .map((v) => (v > EPSILON ? Math.cbrt(v) : (KAPPA * v + 16) / 116))
  );
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** @param {Triple} hsl @returns {Triple} */
function hslToRgb([h, s, l]) {
  const channel = (/** @type {number} */ n) => {
    const k = (n + turn(h) / 30) % 12;
    const a = (s / 100) * Math.min(l / 100, 1 - l / 100);
    return l / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

/** @param {Triple} rgb */
function hueOf([r, g, b]) {
  const max = Math.max(r, g, b);
  const d = max - Math.min(r, g, b);
  if (d === 0) return 0;
  const sixth =
    max === r ? (g - b) / d + (g < b ? 6 : 0) : max === g ? (b - r) / d + 2 : (r - g) / d + 4;
  return sixth * 60;
}

/** @param {Triple} rgb @returns {Triple} */
function rgbToHsl(rgb) {
  const max = Math.max(...rgb);
  const l = (Math.min(...rgb) + max) / 2;
  const s = l === 0 || l === 1 ? 0 : (max - l) / Math.min(l, 1 - l);
  // Outside sRGB saturation can be negative: the opposite hue is equivalent.
  return s < 0 ? [turn(hueOf(rgb) + 180), -s * 100, l * 100] : [turn(hueOf(rgb)), s * 100, l * 100];
}

/** @param {Triple} hwb @returns {Triple} */
function hwbToRgb([h, w, b]) {
  const sum = (w + b) / 100;
  if (sum >= 1) return [w / 100 / sum, w / 100 / sum, w / 100 / sum];
  return /** @type {Triple} */ (hslToRgb([h, 100, 50]).map((v) => v * (1 - sum) + w / 100));
}

/** @param {Triple} rgb @returns {Triple} */
function rgbToHwb(rgb) {
  return [turn(hueOf(rgb)), Math.min(...rgb) * 100, (1 - Math.max(...rgb)) * 100];
}

/** @param {Space} space */
function pathToXyz(space) {
  /** @type {Space[]} */
  const path = [space];
  for (let at = space; at !== 'xyz-d65'; ) {
    at = WAYS[at].parent;
    path.push(at);
  }
  return path;
}

/** Coordinates in another space. @param {Triple} coords @param {Space} from @param {Space} to @returns {Triple} */
export function convertCoords(coords, from, to) {
  const down = pathToXyz(to);
  let at = from;
  let value = coords;
  while (!down.includes(at)) {
    const way = WAYS[/** @type {'srgb'} */ (at)];
    value = way.to(value);
    at = way.parent;
  }
  for (const space of down.slice(0, down.indexOf(at)).reverse())
    value = WAYS[/** @type {'srgb'} */ (space)].from(value);
  return value;
}

/** Chroma or saturation below which the hue is powerless. @type {Partial<Record<Space, [number, number]>>} */
const POWERLESS = { lch: [1, 0.0015], oklch: [1, 0.000004], hsl: [1, 0.001] };

/** A color in another space; a powerless hue becomes `none`. @param {Color} color @param {Space} space @returns {Color} */
export function convertColor(color, space) {
  if (color.space === space) return color;
  const coords = /** @type {Coords} */ (convertCoords(known(color.coords), color.space, space));
  const [place, least] = POWERLESS[space] ?? [0, -1];
  if ((coords[place] ?? 0) <= least) coords[space === 'hsl' ? 0 : 2] = null;
  if (space === 'hwb' && (coords[1] ?? 0) + (coords[2] ?? 0) >= 99.999) coords[0] = null;
  return { space, coords, alpha: color.alpha };
}

/** Coordinates with 0 for `none`. @param {Coords} coords @returns {Triple} */
export const known = (coords) => /** @type {Triple} */ (coords.map((v) => v ?? 0));
