import type { ExitName } from './exit-codes.ts'
import { anotherProcess } from './follow.ts'
import type { Options } from './options.ts'
import { interruption } from './signals.ts'

/** How a site is published, for commands that have to do it again. */
export const publishingOptions = {
  publish: {
    type: 'text',
    value: 'OPTIONS',
    env: 'OPENFOUNTAIN_PUBLISH',
    about:
      'The options with which openfountain publish makes the site, --publish="--out site --api /api": it is published again; default it is said that it has to be',
  },
} as const satisfies Options

interface Given {
  readonly db: string
  readonly publish: string | undefined
}

/**
 * Publishes again, in a process of its own that says on standard error what it does.
 *
 * @returns its exit; undefined where nobody said how
 */
export async function publishAgain(
  { db, publish }: Given,
  env: NodeJS.ProcessEnv,
): Promise<ExitName | undefined> {
  const words = publish?.split(/\s+/u).filter((word) => word !== '') ?? []
  if (words.length === 0) return undefined
  // An address of the environment may have a password, which no command line shall show.
  const database = db === env['OPENFOUNTAIN_DB'] ? [] : ['--db', db]
  const { signal, release } = interruption()
  try {
    return await anotherProcess(['publish', ...words, ...database], signal, 'stderr')
  } finally {
    release()
  }
}
