import { copyRegistry } from '@openfountain/core'
import type { CopyStep } from '@openfountain/core/internal'
import { command } from '../command.ts'
import { inert } from '../inert.ts'
import { interruptible } from '../signals.ts'
import { unverified } from './backup.ts'
import { rethrown } from '../failure.ts'

const labels: Readonly<Record<CopyStep, string>> = {
  rows: 'Copying',
  indexes: 'Indexing',
  verification: 'Verifying',
}

const copy = command('copy', {
  summary:
    'Copies a registry, between files and databases on PostgreSQL servers, and verifies the copy row by row.',
  more: 'The copy has everything, also e-mail addresses and the hashes of secrets, and the same origin: it takes the place of the registry, and readers and mirrors notice nothing. Others may use the registry meanwhile; what they write after the copy began is not in it, so stop the servers before you move. It is no registry before every row was compared, and the entries of the log with its tree. Nothing is left of a copy that was interrupted: run it again.',
  places: {
    from: 'The registry: a file, or an address such as postgres://user@host:5432/fountains; it is only read',
    to: 'A file that does not exist yet, or the address of a database without a registry',
  },
  options: {},
  examples: {
    'copy openfountain.db postgres://fountains@db.example/fountains':
      'Moves a registry to a PostgreSQL server',
    'copy postgres://fountains@db.example/fountains openfountain.db': 'Moves it back to a file',
  },
  async run({ from, to }, { out }) {
    const { rows, left } = await out
      .during(labels.rows, (bar) =>
        interruptible((signal) =>
          copyRegistry({
            from,
            to,
            signal,
            onProgress: (step, done, total) => bar.at(done, total, labels[step]),
          }),
        ),
      )
      .catch(rethrown(unverified))
    const { waypoints = 0, entries = 0, users = 0 } = rows
    out.result({ from, to, waypoints, entries, rows, left }, () => [
      `${inert(to)} is a copy of ${inert(from)}: ${waypoints.toLocaleString('en')} waypoints, ${entries.toLocaleString('en')} entries of the log, ${users.toLocaleString('en')} people`,
      'Every row was compared, and the entries of the log with its tree',
      left.length > 0 &&
        `Not copied, since they are not the registry's: ${left.map((name) => inert(name)).join(', ')}`,
    ])
  },
})

export const commands = [copy]
