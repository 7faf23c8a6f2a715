/** How much a run tests: `quick` in `npm test`, `all` in `npm run test:all`, `full` before a release. */
export type Effort = 'quick' | 'all' | 'full'

const given = process.env['OPENFOUNTAIN_EFFORT'] ?? 'quick'
if (given !== 'quick' && given !== 'all' && given !== 'full')
  throw new Error(`OPENFOUNTAIN_EFFORT must be quick, all or full, not ${JSON.stringify(given)}`)

export const effort: Effort = given

export const counted = (counts: Readonly<Record<Effort, number>>): number => counts[effort]

export const repeated = effort === 'quick' ? {} : { tags: ['long' as const] }

/** The seed of random choices; `npm test -- --seed N` varies it. */
export const seed = Number(process.env['OPENFOUNTAIN_SEED'] ?? 1)
if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('OPENFOUNTAIN_SEED must be a whole number')
