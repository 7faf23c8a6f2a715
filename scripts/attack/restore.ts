import { copyFile, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, restoreDatabase, token, type Registry } from '@openfountain/core'
import { followTail } from '@openfountain/exchange'
import { createApp } from '@openfountain/server'
import Database from 'better-sqlite3'
import { outcome, type Attack } from './attempt.ts'

const spring = { name: 'Spring', latitude: 55.5, longitude: 13.5 }

/** Opens a registry, runs work, and closes it. */
async function withRegistry<Result>(
  database: string,
  work: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  const registry = await openRegistry({ database, durability: 'relaxed' })
  try {
    return await work(registry)
  } finally {
    await registry.close()
  }
}

const inSchema = (change: string) => `pragma writable_schema = on; ${change}; pragma writable_schema = off`

/** Changes to a backup by an attacker with access to it. */
const changes: readonly (readonly [what: string, sql: string])[] = [
  [
    'a trigger',
    `create trigger welcome after insert on reviews begin
       insert into secrets (id, kind, value, createdAt) values ('token:a', 'token', '{}', '2026-01-01T00:00:00.000Z'); end`,
  ],
  ['a view', 'create view passwords as select * from secrets'],
  [
    'a view in the place of a table',
    'alter table searchWords rename to words; create view searchWords as select word from words',
  ],
  ['a table', 'create table things (id integer primary key)'],
  ['a virtual table', 'create virtual table places using rtree(id, west, east)'],
  ['an index', 'create index byName on users (lower(name))'],
  ['a missing trigger', 'drop trigger entries_refuse_update'],
  [
    'a missing rule',
    inSchema(
      "update sqlite_schema set sql = replace(sql, ' check (isModerator in (0, 1))', '') where name = 'users'",
    ),
  ],
  ['a changed name', "update waypoints set name = 'Elsewhere' where id = 1"],
]

const preparedBackup: Attack = {
  name: 'prepared-backup',
  kind: 'restore',
  wants: 'rights in the registry, by a backup that makes them',
  async run({ folder }) {
    const [database, backup] = [path.join(folder, 'registry.db'), path.join(folder, 'backup.db')]
    await withRegistry(database, async (registry) => {
      await registry.users.create({ name: 'Ada', id: 'ada' })
      await registry.waypoints.create(spring, token())
      await registry.backup(backup)
    })
    const before = await readFile(database)
    const accepted: string[] = []
    for (const [number, [what, sql]] of changes.entries()) {
      const from = path.join(folder, `changed-${number}.db`)
      await copyFile(backup, from)
      const copy = new Database(from)
      copy.unsafeMode(true)
      copy.exec(sql)
      copy.close()
      const isRestored = await restoreDatabase({ database, from, replace: true }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isRestored || !before.equals(await readFile(database))) accepted.push(what)
    }
    const { ok } = await restoreDatabase({ database, from: backup, replace: true })
    return outcome(
      `restored ${changes.length} backups with triggers, views and rows that were put into them`,
      accepted.length > 0
        ? `accepted: ${accepted.join(', ')}`
        : `each was refused, nothing was replaced; the backup itself was ${ok ? 'restored' : 'refused too'}`,
      accepted.length === 0 && ok,
    )
  },
}

const paths = ['/api/waypoints', '/api/waypoints/1', '/api/changes', '/api/logs/head', '/api/stats']

const staleCopies: Attack = {
  name: 'stale-copies',
  kind: 'restore',
  wants: 'that caches go on with what a restore took back',
  async run({ folder }) {
    const [database, backup] = [path.join(folder, 'registry.db'), path.join(folder, 'backup.db')]
    const asked = async (registry: Registry, tags: readonly string[] = []) => {
      const app = createApp(registry)
      const found: { readonly status: number; readonly tag: string }[] = []
      for (const [index, each] of paths.entries()) {
        const headers = { 'if-none-match': tags[index] ?? '"none"' }
        const response = await app.fetch(new Request(`http://fountains.test${each}`, { headers }))
        await response.arrayBuffer()
        found.push({ status: response.status, tag: response.headers.get('etag') ?? '' })
      }
      return found
    }
    const held = await withRegistry(database, async (registry) => {
      await registry.waypoints.create(spring, token())
      await registry.backup(backup)
      await registry.waypoints.update(1, { name: 'Lost' }, token())
      return (await asked(registry)).map(({ tag }) => tag)
    })
    await restoreDatabase({ database, from: backup, replace: true })
    const later = await withRegistry(database, async (registry) => {
      await registry.waypoints.update(1, { name: 'Other' }, token())
      return asked(registry, held)
    })
    const stale = paths.filter((_, index) => later[index]?.status !== 200)
    return outcome(
      `restored a backup, wrote as much as was lost, and asked for ${paths.length} paths with the tags of before`,
      stale.length === 0 ? 'each was sent anew' : `not sent anew: ${stale.join(' ')}`,
      stale.length === 0 && held.every((tag) => tag !== ''),
    )
  },
}

const canary = 'Zebulon'

const revivedText: Attack = {
  name: 'revived-text',
  kind: 'restore',
  wants: 'to read what was redacted, after an older backup was restored',
  async run({ folder }) {
    const [database, backup] = [path.join(folder, 'registry.db'), path.join(folder, 'backup.db')]
    const wasInBackup = await withRegistry(database, async (registry) => {
      await registry.waypoints.create({ ...spring, description: `${canary} lives here` }, token())
      await registry.backup(backup)
      const found = (await readFile(backup)).includes(canary)
      await registry.changes.redact((await registry.changes.head()).id, { reason: 'Asked for by the person' })
      return found
    })
    await restoreDatabase({ database, from: backup, replace: true })
    const isRevived = (await readFile(database)).includes(canary)
    return outcome(
      'redacted a text and restored a backup that still has it',
      isRevived ? 'the database has the text again' : 'the restored database does not have it',
      wasInBackup && !isRevived,
    )
  },
}

const revivedElsewhere: Attack = {
  name: 'revived-elsewhere',
  kind: 'restore',
  wants: 'to read what was redacted, after an older backup was restored on another machine',
  async run({ folder }) {
    const [there, old, newer] = [
      path.join(folder, 'there.db'),
      path.join(folder, 'old.db'),
      path.join(folder, 'newer.db'),
    ]
    await withRegistry(path.join(folder, 'registry.db'), async (registry) => {
      await registry.waypoints.create({ ...spring, description: `${canary} lives here` }, token())
      await registry.backup(old)
      await registry.changes.redact((await registry.changes.head()).id, { reason: 'Asked for by the person' })
      await registry.backup(newer)
    })
    for (const file of ['', '.erased']) await rm(path.join(folder, `registry.db${file}`))
    const restored = await restoreDatabase({ database: there, from: old })
    const isRevived = (await readFile(there)).includes(canary)
    for (const file of [old, newer]) await rm(`${file}.erased`)
    await rm(there)
    await rm(`${there}.erased`)
    const isRefused = await restoreDatabase({ database: there, from: old }).then(
      () => false,
      () => true,
    )
    return outcome(
      'restored a backup that has a redacted text where a newer one lies, and where no list of erasures does',
      `the text ${isRevived ? 'is back' : 'is erased again'}; without a list it was ${isRefused ? 'refused' : 'restored'}`,
      !isRevived && restored.erased === 1 && isRefused,
    )
  },
}

const rogueTail: Attack = {
  name: 'rogue-tail',
  kind: 'restore',
  wants: 'rights in the registry, by running the mirror from which a restore takes what is newer',
  async run({ folder }) {
    const [database, mirror] = [path.join(folder, 'registry.db'), path.join(folder, 'mirror.db')]
    const known = await withRegistry(database, async (registry) => {
      for (const id of ['ada', 'mallory']) await registry.users.create({ name: id, id })
      await registry.backup(mirror)
      // Lost here, but present in an old export.
      await registry.backup(path.join(folder, 'lost.db'))
      return withRegistry(path.join(folder, 'lost.db'), async (lost) => {
        await lost.waypoints.create(spring, token())
        return lost.changes.head()
      })
    })
    return withRegistry(mirror, async (rogue) => {
      await rogue.users.setModerator('mallory', true)
      await rogue.users.grantXp('mallory', 9000, 'A present')
      await rogue.users.block('ada', { reason: 'In the way' }, token())
      const app = createApp(rogue)
      const asked: typeof fetch = async (input, init) => app.fetch(new Request(input, init))
      return withRegistry(database, async (registry) => {
        const tail = (url: string, head?: typeof known) =>
          followTail(url, registry, { fetch: asked, ...(head && { known: head }) })
        const isFollowed = async (...given: Parameters<typeof tail>) =>
          tail(...given).then(
            () => true,
            () => false,
          )
        const byHttp = await isFollowed('http://mirror.test')
        const otherHistory = await isFollowed('https://mirror.test', known)
        const { entries } = await tail('https://mirror.test')
        const [mallory, ada] = [await registry.users.profile('mallory'), await registry.users.profile('ada')]
        const gained = [
          ...(byHttp ? ['was believed by http:'] : []),
          ...(otherHistory ? ['was believed without the head that was kept'] : []),
          ...(mallory.isModerator ? ['moderates'] : []),
          ...(mallory.xp === 0 ? [] : [`has ${mallory.xp} XP`]),
          ...(ada.blocked === undefined ? [] : ['blocked somebody']),
        ]
        return outcome(
          `wrote ${entries} entries into the mirror that give and take rights, and let a restore follow it`,
          gained.length === 0
            ? 'nobody has other rights than before'
            : `whoever runs it ${gained.join(', ')}`,
          gained.length === 0 && entries === 3,
        )
      })
    })
  },
}

const unguardedLog: Attack = {
  name: 'unguarded-log',
  kind: 'restore',
  wants: 'that nobody notices that the log can be changed, until no backup of a year can be restored',
  async run({ folder }) {
    const database = path.join(folder, 'registry.db')
    await withRegistry(database, (registry) => registry.waypoints.create(spring, token()))
    const opened = new Database(database)
    opened.exec('drop trigger entries_refuse_update')
    opened.close()
    return withRegistry(database, async (registry) => {
      const { ok } = await registry.changes.verify()
      const isCopied = await registry.backup(path.join(folder, 'backup.db')).then(
        () => true,
        () => false,
      )
      return outcome(
        'dropped the trigger that guards the log',
        `verifying ${ok ? 'found nothing' : 'found it'}, a backup was ${isCopied ? 'made without a word' : 'refused'}`,
        !ok && !isCopied,
      )
    })
  },
}

export const restoring: readonly Attack[] = [
  unguardedLog,
  preparedBackup,
  staleCopies,
  revivedText,
  revivedElsewhere,
  rogueTail,
]
