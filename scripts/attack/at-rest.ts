import { existsSync } from 'node:fs'
import { lstat, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, token } from '@openfountain/core'
import { importFile } from '@openfountain/exchange'
import { outcome, skipped, type Attack } from './attempt.ts'
import { openfountain } from './program.ts'

const noModes = skipped('Windows has neither modes nor links that anybody can make')

const rows =
  'id,name,latitude,longitude\na1,Market square,55.7,13.1\na2,Market square,55.7004,13.1\na3,Nowhere,,\n'

const fileModes: Attack = {
  name: 'file-modes',
  kind: 'at rest',
  wants: 'to read addresses and credentials as another user of the machine',
  async run({ folder, own, full }) {
    if (process.platform === 'win32') return noModes
    const file = (name: string) => path.join(folder, name)
    await writeFile(file('lund.csv'), rows)
    await openfountain(['import', 'lund.csv', '--source', 'City of Lund', '--license', 'CC0-1.0'], folder)
    await openfountain(['backup', 'copy.db'], folder)
    const files = ['openfountain.db', 'copy.db', 'lund.csv.rejected.ndjson'].map(file)
    if (full) {
      await openfountain(['restore', 'copy.db', '--db', 'restored.db'], folder)
      files.push(file('restored.db'))
    }
    if (full && own !== undefined) {
      await openfountain(['mirror', own.url.href, '--db', 'mirror.db'], folder)
      files.push(file('mirror.db'))
    }
    if (own !== undefined) files.push(own.database, ...['-wal', '-shm'].map((end) => `${own.database}${end}`))
    const open: string[] = []
    for (const each of files) {
      const mode = existsSync(each) ? (await stat(each)).mode & 0o777 : undefined
      if (mode !== 0o600) open.push(`${path.basename(each)}: ${mode?.toString(8) ?? 'missing'}`)
    }
    return outcome(
      `let commands write ${files.length} files under the umask 0`,
      open.length === 0 ? 'each has mode 600' : open.join('; '),
      open.length === 0,
    )
  },
}

const linkedFiles: Attack = {
  name: 'linked-files',
  kind: 'at rest',
  wants: 'that a command overwrites a file of its user, by a link in a place where it writes',
  async run({ folder }) {
    if (process.platform === 'win32') return noModes
    const file = (name: string) => path.join(folder, name)
    const precious = 'precious'
    await writeFile(file('victim'), precious)
    await writeFile(file('lund.csv'), rows)
    const links = ['lund.csv.rejected.ndjson', 'lund.csv.rejected.ndjson.part', 'copy.db.unfinished'].map(
      file,
    )
    for (const link of links) await symlink(file('victim'), link)
    const registry = await openRegistry({ database: file('registry.db'), durability: 'relaxed' })
    try {
      await registry.waypoints.create({ name: 'Market square', latitude: 1, longitude: 2 }, token())
      const source = { name: 'City of Lund', license: 'CC0-1.0' }
      await importFile(registry, { file: file('lund.csv'), source })
      await registry.backup(file('copy.db'))
    } finally {
      await registry.close()
    }
    const kept = await readFile(file('victim'), 'utf8')
    const isLinked = (await lstat(file('copy.db'))).isSymbolicLink()
    return outcome(
      `put links in ${links.length} places where an import and a backup write`,
      kept === precious && !isLinked
        ? 'the file that they name is as it was'
        : 'the file that they name was overwritten',
      kept === precious && !isLinked,
    )
  },
}

const clockSetBack: Attack = {
  name: 'clock-set-back',
  kind: 'at rest',
  wants: 'to use a session that has expired, on a machine whose clock was set back',
  async run({ folder }) {
    let now = '2026-03-01T00:00:00.000Z'
    const registry = await openRegistry({
      database: path.join(folder, 'registry.db'),
      clock: () => new Date(now),
    })
    try {
      await registry.users.create({ name: 'Ada', id: 'ada' })
      const { session } = await registry.sessions.create('ada')
      const before = await registry.sessions.resolve(session)
      now = '2026-04-15T00:00:00.000Z'
      await registry.waypoints.create({ name: 'Market square', latitude: 1, longitude: 2 }, token())
      now = '2026-03-02T00:00:00.000Z'
      const revived = await registry.sessions.resolve(session)
      // After a larger step back, all writes are refused.
      now = '2026-04-14T12:00:00.000Z'
      const { createdAt, updatedAt } = await registry.waypoints.update(1, { name: 'Square' }, token())
      const isOrdered = updatedAt >= createdAt
      return outcome(
        'let a session expire, set the clock back by six weeks, and wrote half a day before the last write',
        `the session ${revived === undefined ? 'stays expired' : 'is valid again'}, and the waypoint was updated ${isOrdered ? 'after' : 'before'} it was created`,
        before !== undefined && revived === undefined && isOrdered,
      )
    } finally {
      await registry.close()
    }
  },
}

export const atRest: readonly Attack[] = [fileModes, linkedFiles, clockSetBack]
