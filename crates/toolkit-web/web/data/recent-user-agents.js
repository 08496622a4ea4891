//! User agents newer than the embedded release of uap-core, as our own rules of the same form.
//! Facts: the product tokens that these programs send, with their names in uap-core's test data (as
//! of commit e3c5e634, 2026). Rules that a later release includes can be removed.

/** Tokens after `Safari/…` in the string of a Chromium-based browser. */
const AFTER_SAFARI = {
  '115Browser': '115 Browser',
  ABB: 'Aloha Browser',
  AOLShield: 'AOL Shield Browser',
  AVG: 'AVG',
  Agency: 'Agency',
  AlohaBrowser: 'Aloha Browser',
  AtContent: 'AtContent',
  Avast: 'Avast Secure Browser',
  Avira: 'Avira',
  CCleaner: 'CCleaner',
  Config: 'Config',
  CravingExplorer: 'Craving Explorer Browser',
  Herring: 'Herring',
  Hola: 'Hola Browser',
  Instabridge: 'Instabridge',
  JiSu: 'JiSu Browser',
  KAKAOTALK: 'KakaoTalk',
  LikeWise: 'LikeWise',
  'Lite Browser': 'Lite Browser',
  Norton: 'Norton',
  OMI: 'Vewd Browser',
  OPT: 'Opera Touch',
  OPX: 'Opera GX',
  OpenWave: 'Open Wave',
  Quark: 'Quark',
  QuarkPC: 'Quark PC',
  RuxitSynthetic: 'Ruxit Synthetic',
  SLBrowser: 'Smart Lenovo Browser',
  SberBrowser: 'Sber Browser',
  'Telegram-Android': 'Telegram',
  Trailer: 'Trailer',
  Unique: 'Unique',
  Viewer: 'Viewer',
  VivoBrowser: 'VivoBrowser',
  Vivaldi: 'Vivaldi',
};

/** Tokens that name the program at any position. */
const ANYWHERE = {
  ADG: 'AOL Desktop Gold Browser',
  AdobeCEP: 'Adobe CEP',
  AlohaBrowser: 'Aloha Browser',
  AncestryAndroid: 'AncestryAndroid',
  AvastSecureBrowser: 'Avast Secure Browser',
  'Chesscom-Android': 'Chesscom-Android',
  CitizenFX: 'CitizenFX',
  'Google-InspectionTool': 'Google-InspectionTool',
  HeyTapBrowser: 'HeyTap Browser',
  HonorBrowser: 'Honor Browser',
  HuaweiBrowser: 'Huawei Browser',
  Ladybird: 'Ladybird',
  MullvadBrowser: 'MullvadBrowser',
  Mypal: 'Mypal Browser',
  OBS: 'OBS Studio',
  Odin: 'Odin',
  OculusBrowser: 'Oculus Browser',
  PHX: 'Phoenix Browser',
  R2Client: 'R2Client',
  RecipeRadar: 'RecipeRadar',
  RobloxApp: 'Roblox App',
  Teams: 'Microsoft Teams',
  Thano: 'SmartTV WebBrowser',
  UCMobile: 'UC Browser',
  Wolvic: 'Wolvic Browser',
  YaSearchBrowser: 'Yandex Browser',
  'aws-sdk-go-v2': 'aws-sdk-go-v2',
  baiduboxapp: 'Baidu Explorer',
  bdhonorbrowser: 'Honor Browser',
};

const VERSION = '(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?';

/** @param {string} token */
const literal = (token) => token.replace(/[.-]/g, '\\$&');

/** @param {string} regex @param {string} family */
const rule = (regex, family) => ({ regex, family_replacement: family });

/** Complete expressions; group 1 is the family unless given, the next ones are the version. @type {import('../lib/user-agent.js').Rule[]} */
const SPECIAL = [
  rule(`(Chrome)/${VERSION}.*Chrome/.*Brave`, 'Brave'),
  rule(`(Brave) Chrome/${VERSION}`, 'Brave'),
  rule(`(?<!brave/\\S+ )(Chrome)/.* (?:Brave|brave)/${VERSION}`, 'Brave'),
  rule('(Mobile/\\w+ Safari/[\\d.]+ \\(?Brave)\\)?$', 'Brave'),
  rule(`(Camoufox)\\s*${VERSION}`, 'Camoufox'),
  rule(`(Roadrunner)/\\w+/\\d+/${VERSION}`, 'Roadrunner'),
  rule(`(Valve Steam GameOverlay)/.* Chrome/${VERSION}`, 'Steam GameOverlay'),
  rule(`(Valve (?:Steam )?Client)/.* Chrome/${VERSION}`, 'Steam Client'),
  rule(`(Valve Steam Gamepad/Steam Deck).* Chrome/${VERSION}`, 'Steam Deck'),
  rule(`(Atom)/${VERSION} Safari`, 'Atom Browser'),
  rule(`(Atom)/${VERSION}\\.\\d+ Safari`, 'Atom Browser'),
  rule(`(H[iI]Browser)/v?${VERSION}`, 'HiBrowser'),
  rule(`(Weibo) \\([^()]*__weibo__${VERSION}`, 'Weibo'),
  rule('(Weibo(?:lite|Intl)iOS)', 'Weibo'),
  rule(`(Instagram) ${VERSION}[\\d.]* Android`, 'Instagram'),
  rule(`(musical_ly)_${VERSION} .*WKWebView`, 'TikTok'),
  rule(`(AppName/musical_ly) app_version/${VERSION}`, 'TikTok'),
  rule('(BytedanceWebview)/\\w+ trill_', 'TikTok'),
  rule(`(Mobile)/\\w+ Safari/[\\d.]+ Ddg/${VERSION}`, 'DuckDuckGo Mobile'),
  rule(`(Safari)/[\\d.]+ Ddg/${VERSION}`, 'DuckDuckGo'),
  rule(`(Ecosia ios)@${VERSION}`, 'Ecosia iOS'),
  rule(`(Ecosia android)@${VERSION}`, 'Ecosia Android'),
  rule(`(Macintosh).* EdgiOS/${VERSION}`, 'Edge Mobile'),
  rule(`(Macintosh).* CriOS/${VERSION}`, 'Chrome Mobile iOS'),
  rule('(QIHU 360)', '360 Secure Browser'),
  rule('(Chrome)/\\S+ Decentr ', 'Decentr Web3 Browser'),
  rule('(Safari)/\\S+ Sparrow$', 'Sparrow Browser'),
  rule('(Safari)/\\S+ Talon$', 'Talon Cyber Security Browser'),
  rule('(Chromium GOST)', 'Chromium GOST Browser'),
  rule(`^(?!HipChat).*(QtWebEngine)/${VERSION}`, 'Qt Web Engine'),
  rule('(Qaxbrowser)', 'QAX Browser'),
  rule(`(MicroMessenger)/${VERSION}.*(?:Windows|Mac)We[cC]hat`, 'WeChat Browser'),
  rule(`(NetCast).* Colt/${VERSION}`, 'NetCast Smart TV'),
];

export const AGENTS = [
  ...SPECIAL,
  ...Object.entries(ANYWHERE).map(([token, family]) =>
    rule(`(${literal(token)})/${VERSION}`, family),
  ),
  ...Object.entries(AFTER_SAFARI).map(([token, family]) =>
    rule(`(?:Safari/[\\d.]+|Mobile) (${literal(token)})/${VERSION}`, family),
  ),
];

/** Darwin kernels of iOS 16 to 18: the minor version of both is the same. */
const DARWIN = { 22: '16', 23: '17', 24: '18' };

/** @type {import('../lib/user-agent.js').Rule[]} */
export const SYSTEMS = [
  ...Object.entries(DARWIN).map(([kernel, major]) => ({
    regex: `(CFNetwork)/[\\d.]+ Darwin/${kernel}\\.(\\d+)`,
    os_replacement: 'iOS',
    os_v1_replacement: major,
    os_v2_replacement: '$2',
  })),
  { regex: '(Macintosh).* (?:CriOS|EdgiOS)/', os_replacement: 'iOS' },
  { regex: '(Android) (\\d+)(?:\\.(\\d+))?.* CrKey/', os_replacement: 'Chromecast Android' },
  { regex: '(Fuchsia).* CrKey/(\\d+)\\.(\\d+)\\.(\\d+)', os_replacement: 'Chromecast Fuchsia' },
  {
    regex: '(CrKey)/(\\d+)\\.(\\d+)\\.(\\d+) DeviceType/SmartSpeaker',
    os_replacement: 'Chromecast SmartSpeaker',
  },
  { regex: '(Linux) .* CrKey/(\\d+)\\.(\\d+)\\.(\\d+)', os_replacement: 'Chromecast Linux' },
  { regex: '(os/macos)#(\\d+)\\.(\\d+)\\.(\\d+)', os_replacement: 'Mac OS X' },
  {
    regex: '(aws-sdk-go).*(?:os/macos|; darwin;)',
    os_replacement: 'Mac OS X',
    os_v1_replacement: '',
  },
  { regex: '(HarmonyOS) (\\d+)\\.(\\d+)\\.(\\d+)', os_replacement: 'HarmonyOS' },
];

/** @param {string} regex @param {string} family @param {string} brand @param {string} model */
const device = (regex, family, brand, model) => ({
  regex,
  device_replacement: family,
  brand_replacement: brand,
  model_replacement: model,
});

export const DEVICES = [
  device('Android.*\\(compatible; Google-InspectionTool', 'Spider', 'Spider', 'Smartphone'),
  device('Google-InspectionTool|RecipeRadar', 'Spider', 'Spider', 'Desktop'),
  device('Linux x86_64; (Quest \\d\\w*)\\)', 'Quest', 'Meta', '$1'),
  device('CrKey/.* DeviceType/(\\w+)', 'Chromecast', 'Google', '$1'),
  device('Fuchsia.* CrKey/', 'Chromecast', 'Google', 'Nest Hub'),
  device('CrKey/1\\.36\\.159268', 'Chromecast', 'Google', 'First Generation'),
  device('CrKey/1$', 'Chromecast', 'Google', 'Chromecast'),
  device('Nintendo Switch; WifiWebAuthApplet', 'Nintendo Switch', 'Nintendo', 'Switch'),
  device('; (ONE(?:PLUS)? [AE]\\d{4}); \\)', 'OnePlus $1', 'OnePlus', '$1'),
];
