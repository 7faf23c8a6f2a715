import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { openRegistry, RegistryError } from '@openfountain/core'
import { notCovered } from '@openfountain/core/internal'
import { CommandError, rethrown } from '../failure.ts'
import { inert } from '../inert.ts'
import { row } from '../row.ts'
import { databaseOption } from '../settings.ts'
import { notCoveredLine } from './log.ts'

/** Distinguishes a copy that does not verify from a database that cannot be read. */
export function unverified(error: unknown): unknown {
  if (error instanceof RegistryError && 'problems' in error.details)
    return new CommandError('unverified', error.message, error.code, error.details)
  return error
}

const backup = row('backup', {
  summary: 'Writes a consistent copy of the registry, also while a server runs, and verifies the copy.',
  more: 'The file appears only when the copy is complete, opens, its log verifies, and restoring would take it: of a database that lost a trigger, or has tables of others, there is none, and openfountain copy makes a whole one. It contains everything, also e-mail addresses and the hashes of secrets. FILE.erased beside it lists what was erased, in hashes: keep both together, since restore erases by the newest list that lies there.',
  places: { file: 'The copy; it must not exist yet' },
  options: databaseOption,
  examples: {
    'backup "openfountain-$(date +%F).db"': 'Keeps a copy of today',
    'backup copy.db --json': 'Prints the file, its size and the head of its log',
  },
  access: 'read',
  check({ file }) {
    if (existsSync(file))
      throw new CommandError(
        'usage',
        `${file} exists already; choose another name or remove it`,
        'INVALID_INPUT',
      )
  },
  async call(registry, { file }, { out }) {
    await out
      .during('Copying', (bar) => registry.backup(file, { onProgress: bar.at }))
      .catch(rethrown(unverified))
    const copy = await openRegistry({ database: file, readOnly: true })
    const head = await copy.changes.head()
    await copy.close()
    const { size: bytes } = await stat(file)
    return { file, erasures: `${file}.erased`, bytes, head, notCovered }
  },
  text: ({ file, erasures, bytes, head }) => [
    `${inert(file)}: ${bytes.toLocaleString('en')} bytes, verified up to entry ${head.id}`,
    `${inert(erasures)} lists what was erased: keep it beside the copy`,
    notCoveredLine(notCovered),
  ],
})

export const commands = [backup]
