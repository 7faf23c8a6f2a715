import type { ExitName } from './exit-codes.ts'
import { anotherProcess } from './follow.ts'
import { text } from './options.ts'
import { interruptible } from './signals.ts'

/** The option for commands that publish the site again. */
export const publishingOptions = {
  publish: text(
    'OPTIONS',
    'The options with which openfountain publish makes the site, --publish="--out site --api /api": it is published again; default it is said that it has to be',
    { env: 'OPENFOUNTAIN_PUBLISH' },
  ),
}

interface Given {
  readonly db: string
  readonly publish: string | undefined
}

/**
 * Publishes again in a child process, with its output on standard error.
 *
 * @returns its exit; undefined without options for publishing
 */
export async function publishAgain(
  { db, publish }: Given,
  env: NodeJS.ProcessEnv,
): Promise<ExitName | undefined> {
  const words = wordsOf(publish ?? '')
  if (words.length === 0) return undefined
  // The address in the environment may contain a password, which must not be in a command line.
  const database = db === env['OPENFOUNTAIN_DB'] ? [] : ['--db', db]
  return interruptible((signal) => anotherProcess(['publish', ...words, ...database], signal, 'stderr'))
}

/** The words of a line as a shell has them: quotes keep white space together. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/gu) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/gu, '$1$2'))
}
