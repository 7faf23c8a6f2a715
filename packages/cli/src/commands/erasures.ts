import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { command } from '../command.ts'
import { inert } from '../inert.ts'
import { databaseOption, powerOptions, withRegistry } from '../settings.ts'
import { leftoverLines } from './redactions.ts'

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Replaces a file atomically; only its owner may read it. */
async function replaced(file: string, text: string): Promise<void> {
  const beside = `${file}.${randomUUID()}`
  const handle = await open(beside, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
    await handle.close()
    await rename(beside, file)
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(beside, { force: true })
    throw error
  }
}

const counted = (count: number, one: string, several: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`

export const logErasures = command({
  name: 'log erasures',
  summary: 'Writes a list of everything that was erased, by which a restored backup is erased again.',
  more: 'The list has nothing of what was erased: ids of entries, names of fields and hashes. What FILE lists already stays in it, also what this registry no longer knows. Keep it elsewhere than the database, and write it again after each erasure or every hour. A registry in a SQLite file needs none: it has such a list beside it, which restore reads.',
  positionals: [{ name: 'FILE', about: 'Where the list is kept; only its owner may read it' }],
  options: databaseOption,
  examples: [{ line: 'openfountain log erasures erased.txt', does: 'Brings the list up to date' }],
  async run(options, [file = ''], context) {
    const earlier = await readFile(file, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return ''
      throw error
    })
    const list = await withRegistry(options, 'read', context, (registry) => registry.erasures.list(earlier))
    await replaced(file, list)
    const erasures = list.split('\n').length - 1
    context.out.result({ file, erasures }, () => [
      `${inert(file)} lists ${counted(erasures, 'erasure', 'erasures')}`,
    ])
  },
})

export const logEraseAgain = command({
  name: 'log erase-again',
  summary: 'Erases again what a restored database has from before it was erased, by a list of log erasures.',
  more: 'For a database that pg_restore brought back, or a copy of an old one, before servers use it. Redacted text and that of reports is erased again, and people who left since leave again. --origin renew gives the log a new origin, by which readers and mirrors notice that entries may be lost; keep is for a database that lost none, and for running the command again. openfountain restore does all of this itself for a registry in a SQLite file.',
  positionals: [{ name: 'FILE', about: 'The list' }],
  options: {
    ...powerOptions,
    origin: {
      type: 'text',
      value: 'ORIGIN',
      choices: ['renew', 'keep'],
      required: true,
      about: 'renew when entries that were written after the backup are lost; keep when none are',
    },
  },
  examples: [
    {
      line: 'openfountain log erase-again erased.txt --origin renew',
      does: 'Makes a restored database safe to use',
    },
  ],
  async run({ origin, ...options }, [file = ''], context) {
    const text = await readFile(file, 'utf8')
    await withRegistry(options, 'change', context, async (registry) => {
      const done = await registry.erasures.repeat(text, { origin })
      const { erased, erasedReports, left, originRenewed, leftovers = [] } = done
      context.out.result({ ...done }, () => [
        `Erased again: text of ${counted(erased, 'entry', 'entries')} and of ${counted(erasedReports, 'report', 'reports')}; ${counted(left, 'person', 'people')} left again`,
        ...(originRenewed
          ? ['The log has a new origin, by which readers and mirrors notice that something may be missing']
          : []),
        ...leftoverLines(leftovers),
      ])
    })
  },
})
