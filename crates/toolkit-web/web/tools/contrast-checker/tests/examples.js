//! Outputs of examples, by title.
import { pairs, table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Gray on white': {
    contrast: pairs([
      ['Contrast', '4.47:1'],
      ['Normal text, AA (1.4.3)', 'fails: 4.5:1 is needed'],
      ['Normal text, AAA (1.4.6)', 'fails: 7:1 is needed'],
      ['Large text, AA (1.4.3)', 'passes'],
      ['Large text, AAA (1.4.6)', 'fails: 4.5:1 is needed'],
      ['Interface and graphics, AA (1.4.11)', 'passes'],
      ['APCA, a draft', 'Lc 71.1: enough for text that is not body text'],
    ]),
  },
  'Translucent text, and more pairs': {
    more: table(
      ['Text', 'Background', 'Contrast', 'Normal text', 'Large text'],
      [['navy', 'gold', '11.41:1', 'AAA', 'AAA']],
      { colors: true },
    ),
    compared: pairs(
      [
        ['Text as compared', '#666666'],
        ['Background as compared', '#ffffff'],
      ],
      { colors: true },
    ),
  },
};
