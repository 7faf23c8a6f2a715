/** The number of the build: a whole number in OPENFOUNTAIN_BUILD, such as that of a CI run, or SOURCE_DATE_EPOCH; 0 without. */
export const buildNumber = Number(process.env['OPENFOUNTAIN_BUILD'] ?? process.env['SOURCE_DATE_EPOCH'] ?? 0)

if (!Number.isSafeInteger(buildNumber) || buildNumber < 0)
  throw new Error('OPENFOUNTAIN_BUILD and SOURCE_DATE_EPOCH are whole numbers')
