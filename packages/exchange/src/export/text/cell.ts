import type { CellForm } from '@openfountain/core/internal'

/**
 * How texts are written in CSV: quoted as in RFC 4180, and guarded where Excel, LibreOffice or Google Sheets would take
 * the cell for a formula because of its first character (also in its full-width form).
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export const csvCell: CellForm = {
  quote: '"',
  quoteFor: '",\r\n',
  guard: "'",
  guardFor: '=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20',
}

export {
  csvField,
  csvValue,
  joinList,
  neutraliseCell,
  restoreCell,
  splitList,
} from '@openfountain/core/published'
