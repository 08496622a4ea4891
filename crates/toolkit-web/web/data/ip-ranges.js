//! Special address blocks. Source: IANA's IPv4 and IPv6 Special-Purpose Address Registries, the multicast
//! registries and RFC 4291 §2.4, as of November 2026. More specific blocks come first.

/** @typedef {[block: string, name: string, scope: 'global' | 'local' | 'special' | 'multicast', reference: string]} Range */

/** @type {Range[]} */
export const IPV4 = [
  ['255.255.255.255/32', 'limited broadcast', 'special', 'RFC 919'],
  ['0.0.0.0/32', 'this host on this network (unspecified)', 'special', 'RFC 1122'],
  ['0.0.0.0/8', 'this network', 'special', 'RFC 791'],
  ['10.0.0.0/8', 'private use', 'local', 'RFC 1918'],
  ['100.64.0.0/10', 'shared address space (carrier-grade NAT)', 'local', 'RFC 6598'],
  ['127.0.0.0/8', 'loopback', 'local', 'RFC 1122'],
  ['169.254.0.0/16', 'link local', 'local', 'RFC 3927'],
  ['172.16.0.0/12', 'private use', 'local', 'RFC 1918'],
  ['192.0.0.0/29', 'IPv4 service continuity (DS-Lite)', 'special', 'RFC 7335'],
  ['192.0.0.8/32', 'IPv4 dummy address', 'special', 'RFC 7600'],
  ['192.0.0.9/32', 'Port Control Protocol anycast', 'global', 'RFC 7723'],
  ['192.0.0.10/32', 'TURN anycast', 'global', 'RFC 8155'],
  ['192.0.0.170/31', 'NAT64/DNS64 discovery', 'special', 'RFC 8880'],
  ['192.0.0.0/24', 'IETF protocol assignments', 'special', 'RFC 6890'],
  ['192.0.2.0/24', 'documentation (TEST-NET-1)', 'special', 'RFC 5737'],
  ['192.31.196.0/24', 'AS112-v4', 'global', 'RFC 7535'],
  ['192.52.193.0/24', 'AMT', 'global', 'RFC 7450'],
  ['192.88.99.0/24', '6to4 relay anycast (deprecated)', 'special', 'RFC 7526'],
  ['192.168.0.0/16', 'private use', 'local', 'RFC 1918'],
  ['192.175.48.0/24', 'direct delegation AS112', 'global', 'RFC 7534'],
  ['198.18.0.0/15', 'benchmarking', 'special', 'RFC 2544'],
  ['198.51.100.0/24', 'documentation (TEST-NET-2)', 'special', 'RFC 5737'],
  ['203.0.113.0/24', 'documentation (TEST-NET-3)', 'special', 'RFC 5737'],
  ['224.0.0.0/24', 'multicast on the link', 'multicast', 'RFC 5771'],
  ['232.0.0.0/8', 'source-specific multicast', 'multicast', 'RFC 4607'],
  ['233.252.0.0/24', 'documentation (MCAST-TEST-NET)', 'multicast', 'RFC 6676'],
  ['239.0.0.0/8', 'multicast, administratively scoped', 'multicast', 'RFC 2365'],
  ['224.0.0.0/4', 'multicast', 'multicast', 'RFC 5771'],
  ['240.0.0.0/4', 'reserved (class E)', 'special', 'RFC 1112'],
];

/** @type {Range[]} */
export const IPV6 = [
  ['::1/128', 'loopback', 'local', 'RFC 4291'],
  ['::/128', 'unspecified', 'special', 'RFC 4291'],
  ['::ffff:0:0/96', 'IPv4-mapped', 'special', 'RFC 4291'],
  ['::/96', 'IPv4-compatible (deprecated)', 'special', 'RFC 4291'],
  ['64:ff9b::/96', 'NAT64, well-known prefix', 'global', 'RFC 6052'],
  ['64:ff9b:1::/48', 'NAT64, local use', 'local', 'RFC 8215'],
  ['100::/64', 'discard only', 'special', 'RFC 6666'],
  ['100:0:0:1::/64', 'dummy prefix', 'special', 'RFC 9780'],
  ['2001::/32', 'Teredo', 'special', 'RFC 4380'],
  ['2001:1::1/128', 'Port Control Protocol anycast', 'global', 'RFC 7723'],
  ['2001:1::2/128', 'TURN anycast', 'global', 'RFC 8155'],
  ['2001:1::3/128', 'DNS-SD service registration anycast', 'global', 'RFC 9665'],
  ['2001:2::/48', 'benchmarking', 'special', 'RFC 5180'],
  ['2001:3::/32', 'AMT', 'global', 'RFC 7450'],
  ['2001:4:112::/48', 'AS112-v6', 'global', 'RFC 7535'],
  ['2001:10::/28', 'ORCHID (deprecated)', 'special', 'RFC 4843'],
  ['2001:20::/28', 'ORCHIDv2', 'global', 'RFC 7343'],
  ['2001:30::/28', 'drone remote identification', 'global', 'RFC 9374'],
  ['2001::/23', 'IETF protocol assignments', 'special', 'RFC 2928'],
  ['2001:db8::/32', 'documentation', 'special', 'RFC 3849'],
  ['2002::/16', '6to4', 'special', 'RFC 3056'],
  ['2620:4f:8000::/48', 'direct delegation AS112', 'global', 'RFC 7534'],
  ['3fff::/20', 'documentation', 'special', 'RFC 9637'],
  ['5f00::/16', 'segment routing (SRv6) identifiers', 'special', 'RFC 9602'],
  ['2000::/3', 'global unicast', 'global', 'RFC 4291'],
  ['fc00::/7', 'unique local', 'local', 'RFC 4193'],
  ['fe80::/10', 'link-local unicast', 'local', 'RFC 4291'],
  ['fec0::/10', 'site local (deprecated)', 'local', 'RFC 3879'],
  ['ff00::/8', 'multicast', 'multicast', 'RFC 4291'],
];

/** Scopes of IPv6 multicast by the fourth digit: RFC 4291 §2.7, RFC 7346. */
export const MULTICAST_SCOPES = {
  1: 'interface-local',
  2: 'link-local',
  3: 'realm-local',
  4: 'admin-local',
  5: 'site-local',
  8: 'organization-local',
  14: 'global',
};
