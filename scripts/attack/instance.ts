import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { served, withProcess } from '@openfountain/testing/command/shell'
import type { Role } from '@openfountain/testing/server/stage'

/** Users reserved for attacks: with XP for every gate, none of them a moderator. */
export type Cast = 'vandal' | 'rival' | 'waiting' | 'reporting' | 'fresh'

/** A running instance with its own registry, all of whose data the attacks know. */
export interface Instance {
  readonly url: URL
  readonly database: string
  /** Lines of its log since it started to serve. */
  readonly lines: readonly string[]
  /** The address of a trusted reverse proxy. */
  readonly proxy: string
  /** The origin of its own pages, and another allowed one. */
  readonly origins: { readonly own: string; readonly allowed: string }
  /** Headers with the credentials of each role. */
  readonly secrets: Readonly<Record<Role, Readonly<Record<string, string>>>>
  /** Headers with credentials, one user per attack; `fresh` signed up just now, without an invitation. */
  readonly people: Readonly<Record<Cast, Readonly<Record<string, string>>>>
  /** A personal token of the moderator, which has no rights of a moderator. */
  readonly moderatorsToken: Readonly<Record<string, string>>
  /** A waypoint with many edits by `flooder`. */
  readonly edited: { readonly id: number; readonly edits: number }
  /** The e-mail address of `regular`. */
  readonly takenEmail: string
  /** A text in files that must not be served. */
  readonly hidden: string
  stop(): Promise<unknown>
}

export interface InstanceSize {
  /** All waypoints; the first ones have long texts, so that a whole list exceeds the buffers of a connection. */
  readonly waypoints: number
  readonly edits: number
}

const longTexts = 3000
const takenEmail = 'regular@example.org'
const hidden = 'never to be served 7c1f'
const proxy = '127.200.0.1'
const origins = { own: 'https://fountains.example', allowed: 'https://map.example' }

/** Who attacks, and is attacked. */
type WithPeople = Pick<Instance, 'secrets' | 'people' | 'moderatorsToken'>

/** Adds users to an empty registry, with credentials for each. */
export async function peopled(registry: Registry): Promise<WithPeople> {
  const cookieOf = async (id: string) => ({
    cookie: `session=${(await registry.sessions.create(id)).session}`,
  })
  const person = async (id: string, xp: number, isModerator = false) => {
    await registry.users.create({ id, name: `Name of ${id}`, email: `${id}@example.org`, xp, isModerator })
    return cookieOf(id)
  }
  const bearer = async (ownerId?: string) => {
    const made = await registry.tokens.create({ name: 'attack', ownerId })
    return { authorization: `Bearer ${made.token}` }
  }
  const secrets = {
    nobody: {},
    'bad cookie': { cookie: 'session=ofs_made-up' },
    'bad token': { authorization: 'Bearer oft_made-up' },
    newcomer: await person('newcomer', 0),
    regular: await person('regular', 100),
    author: await person('author', 200),
    moderator: await person('moderator', 300, true),
    token: await bearer(),
    'owned token': await bearer('author'),
  }
  const way = { key: 'https://id.example fresh', provider: 'example', label: 'Fresh there' }
  const { userId: fresh } = await registry.accounts.signIn(way, { name: 'Fresh', registration: 'open' })
  await registry.users.grantXp(fresh, 1000, 'for the attack')
  const people = {
    vandal: await person('vandal', 1000),
    rival: await person('rival', 1000),
    waiting: await person('waiting', 1000),
    reporting: await person('reporting', 1000),
    fresh: await cookieOf(fresh),
  }
  const { token: secret } = await registry.personalTokens.create('moderator', { name: 'attack' })
  return { secrets, people, moderatorsToken: { authorization: `Bearer ${secret}` } }
}

/** Makes waypoints for attacks. @returns the id of the one with many edits */
export async function fill(registry: Registry, { waypoints, edits }: InstanceSize): Promise<number> {
  const { id } = await registry.waypoints.create(
    { name: 'Market square', latitude: 55.7029, longitude: 13.1929 },
    token(),
  )
  await registry.users.create({ id: 'flooder', name: 'Flooder', xp: 100 })
  for (let edit = 0; edit < edits; edit++)
    await registry.waypoints.update(id, { description: `Edition ${edit} ${'x'.repeat(50)}` }, user('flooder'))
  const run = await registry.imports.start({ source: { name: 'City of Lund', license: 'CC0-1.0' } })
  for (let first = 0; first < waypoints; first += 5000) {
    const rows = Array.from({ length: Math.min(5000, waypoints - first) }, (_, at) => {
      const number = first + at
      return {
        row: number + 1,
        ref: String(number),
        input: {
          name: `Källa ${number}`,
          latitude: ((number * 37) % 17_000) / 100 - 85,
          longitude: ((number * 91) % 36_000) / 100 - 180,
          region: 'Elsewhere',
          ...(number < longTexts && { description: '水'.repeat(2000) }),
          verified: number % 3 === 0,
        },
      }
    })
    await run.apply(rows)
  }
  await run.finish({ counts: {}, missing: 'keep' })
  return id
}

/** Files beside the served folder, and a link out of it. */
async function writeSite(folder: string): Promise<void> {
  const site = path.join(folder, 'site')
  await mkdir(path.join(site, 'about'), { recursive: true })
  const secret = path.join(folder, 'hidden.txt')
  await writeFile(secret, hidden)
  await writeFile(path.join(site, 'index.html'), '<!doctype html><title>Map</title>')
  await writeFile(path.join(site, '404.html'), '<!doctype html><title>Not found</title>')
  await writeFile(path.join(site, 'about/index.html'), '<!doctype html><title>About</title>')
  await writeFile(path.join(site, 'map.js'), 'export const map = 1\n')
  await writeFile(path.join(site, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(path.join(site, '.env'), hidden)
  await writeFile(path.join(folder, 'exports/hidden.txt'), hidden)
  if (process.platform !== 'win32') await symlink(secret, path.join(site, 'leak.txt'))
}

/** Makes a registry with users and waypoints, and serves it as behind a reverse proxy. */
export async function startInstance(folder: string, size: InstanceSize): Promise<Instance> {
  const database = path.join(folder, 'registry.db')
  const registry = await openRegistry({ database, durability: 'relaxed' })
  const cast = await peopled(registry)
  await exportRegistry(registry, { out: path.join(folder, 'exports'), formats: ['csv', 'geojson'] })
  const id = await fill(registry, size)
  await registry.close()
  await writeSite(folder)
  const { url, lines, stop } = await served(
    Object.entries({
      db: database,
      durability: 'relaxed',
      'rate-limit': '300',
      'trust-proxy': proxy,
      'public-url': origins.own,
      origin: origins.allowed,
      exports: path.join(folder, 'exports'),
      site: path.join(folder, 'site'),
    }).flatMap(([name, value]) => [`--${name}`, value]),
    { cwd: folder },
    withProcess,
  )
  const edited = { id, edits: size.edits }
  return { url: new URL(url), database, lines, proxy, origins, ...cast, edited, takenEmail, hidden, stop }
}
