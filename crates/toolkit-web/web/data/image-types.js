//! Image types by their first bytes. Sources: WHATWG MIME Sniffing §6.1 (ico, cur, bmp, gif, webp, png,
//! jpeg); ISO/IEC 14496-12 brands for AVIF and HEIC; TIFF 6.0; JPEG XL 18181-2 (November 2026).

/** @typedef {{ type: string, name: string, ending: string, hex?: RegExp, text?: RegExp }} ImageType */

/** `hex` is matched against the first bytes as hexadecimal digits, `text` against the head as Latin-1. @type {readonly ImageType[]} */
export const IMAGE_TYPES = [
  { type: 'image/x-icon', name: 'Windows icon', ending: 'ico', hex: /^00000100/ },
  { type: 'image/x-icon', name: 'Windows cursor', ending: 'cur', hex: /^00000200/ },
  { type: 'image/bmp', name: 'BMP', ending: 'bmp', hex: /^424d/ },
  { type: 'image/gif', name: 'GIF', ending: 'gif', text: /^GIF8[79]a/ },
  { type: 'image/webp', name: 'WebP', ending: 'webp', hex: /^52494646.{8}574542505650/ },
  { type: 'image/png', name: 'PNG', ending: 'png', hex: /^89504e470d0a1a0a/ },
  { type: 'image/jpeg', name: 'JPEG', ending: 'jpg', hex: /^ffd8ff/ },
  { type: 'image/avif', name: 'AVIF', ending: 'avif', hex: /^.{8}66747970617669(?:66|73)/ },
  {
    type: 'image/heic',
    name: 'HEIC',
    ending: 'heic',
    hex: /^.{8}66747970(?:68656963|68656978|6d696631)/,
  },
  { type: 'image/tiff', name: 'TIFF', ending: 'tif', hex: /^(?:49492a00|4d4d002a)/ },
  { type: 'image/jxl', name: 'JPEG XL', ending: 'jxl', hex: /^(?:ff0a|0000000c4a584c20)/ },
  {
    type: 'image/svg+xml',
    name: 'SVG',
    ending: 'svg',
    text: /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i,
  },
];

/** Other types of files, for the refusal that names them. @type {readonly { hex?: RegExp, text?: RegExp, is: string }[]} */
export const OTHER_TYPES = [
  { text: /^%PDF-/, is: 'a PDF document' },
  { hex: /^504b0304/, is: 'a ZIP archive or an Office document' },
  { hex: /^1f8b/, is: 'a gzip file' },
  { hex: /^(?:7f454c46|4d5a)/, is: 'a program' },
  { hex: /^.{8}66747970/, is: 'an MPEG-4 video' },
  { hex: /^1a45dfa3/, is: 'a Matroska or WebM video' },
  { text: /^OggS/, is: 'an Ogg file' },
  { hex: /^(?:494433|fffb)/, is: 'an MP3 file' },
  { hex: /^52494646.{8}57415645/, is: 'a WAVE sound' },
  { text: /^wOF[F2]/, is: 'a web font' },
  { text: /^\s*(?:<!doctype html|<html)/i, is: 'an HTML document' },
  { text: /^\s*<\?xml/i, is: 'an XML document' },
];
