//! URLs and proxies of curl commands. Source: the manual page of curl 8.15 (--url, --upload-file,
//! --proxy).

/** @param {Record<string, string>} single */
export function proxyOf(single) {
  const kind = ['proxy', 'preproxy', 'socks5-hostname', 'socks5', 'socks4a', 'socks4'].find(
    (name) => single[name] !== undefined,
  );
  const host = kind ? (single[kind] ?? '') : '';
  if (host === '' || kind === undefined) return '';
  const scheme = kind.startsWith('socks') ? kind.replace('5-hostname', '5h') : 'http';
  const full = /^[a-z\d]+:\/\//i.test(host) ? host : `${scheme}://${host}`;
  const user = single['proxy-user'];
  return user
    ? full.replace(/:\/\/(?:[^@/]*@)?/, `://${user.split(':').map(encodeURIComponent).join(':')}@`)
    : full;
}

/** @param {string} typed @param {string | undefined} query @param {string | undefined} upload @param {(sentence: string) => void} warn @param {boolean} literal */
export function address(typed, query, upload, warn, literal) {
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(typed)
    ? typed
    : `http://${typed.replace(/^\/\//, '')}`;
  if (!literal && /\{[^{},]*,[^{}]*\}|\[\w+-\w+(:\d+)?\]/.test(full.slice(0, 2000)))
    warn(
      'The address has a pattern ({…} or […]), which curl turns into several requests; it was left as it is.',
    );
  const [, origin = '', path = '', search = ''] =
    /^([^/]*\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/.exec(full) ?? [];
  const name =
    upload && upload !== '-' && upload !== '.' && (path === '' || path.endsWith('/'))
      ? encodeURIComponent(upload.split(/[\\/]/).at(-1) ?? '')
      : '';
  const added = query ? `${search ? (/[?&]$/.test(search) ? '' : '&') : '?'}${query}` : '';
  const url =
    `${origin}${path || (search || added || name ? '/' : '')}${name}${search}${added}`.replaceAll(
      ' ',
      '%20',
    );
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed) warn('The address is not a valid URL.');
  return { url: parsed?.username ? url.replace(/\/\/[^/?#@]*@/, '//') : url, parsed };
}
