import { createHash } from 'node:crypto'
import { constants, createReadStream, createWriteStream, existsSync, openAsBlob } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Registry } from '@openfountain/core'
import { bucketAt, isBucket, photosBeside, type StoredObject, storageAt } from '@openfountain/photos'
import { CommandError, usage } from './failure.ts'
import { inert } from './inert.ts'

/** Backups off the machine: `NAME.db` with `NAME.db.erased`, and photos of the newest one in `photos/`. */
interface BackupPlace {
  put(name: string, file: string): Promise<void>
  /** Writes a file of the place to a new file here. */
  fetch(name: string, file: string): Promise<void>
  delete(name: string): Promise<void>
  list(): AsyncIterable<StoredObject>
}

const missing = (place: string, name: string): CommandError =>
  new CommandError('missing', `${inert(place)} has no ${inert(name)}`)

/** The longest transfer of a backup: of a gigabyte at a megabyte a second. */
const patienceMilliseconds = 20 * 60_000

function inBucket(place: string): BackupPlace {
  const bucket = bucketAt(place, process.env, patienceMilliseconds)
  return {
    put: async (name, file) => bucket.put(name, await openAsBlob(file), 'application/octet-stream'),
    async fetch(name, file) {
      const { body } = (await bucket.get(name)) ?? {}
      if (!body) throw missing(bucket.place, name)
      await pipeline(body, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    },
    delete: (name) => bucket.delete(name),
    list: () => bucket.list(),
  }
}

const inFolder = (folder: string): BackupPlace => ({
  async put(name, file) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const unfinished = path.join(folder, `${name}.unfinished`)
    await copyFile(file, unfinished)
    await using copy = await open(unfinished, 'r+')
    await copy.chmod(0o600)
    await copy.sync()
    await rename(unfinished, path.join(folder, name))
  },
  async fetch(name, file) {
    const stored = path.join(folder, name)
    if (!existsSync(stored)) throw missing(folder, name)
    await copyFile(stored, file, constants.COPYFILE_EXCL)
  },
  delete: (name) => rm(path.join(folder, name), { force: true }),
  async *list() {
    for (const name of existsSync(folder) ? await readdir(folder) : [])
      yield { name, writtenAt: (await stat(path.join(folder, name))).mtime.toISOString() }
  },
})

const placeAt = (place: string): BackupPlace => (isBucket(place) ? inBucket(place) : inFolder(place))

function photosIn(place: string): string {
  if (!isBucket(place)) return path.join(place, 'photos')
  const url = new URL(place)
  url.pathname = path.posix.join('/', url.pathname, 'photos')
  return url.href
}

/** How many days, weeks and months keep their newest backup. */
export type Keeping = readonly [days: number, weeks: number, months: number]

export function keepingOf(name: string, text: string): Keeping {
  const [, days = '', weeks = '', months = ''] = /^(\d{1,4}),(\d{1,4}),(\d{1,4})$/u.exec(text) ?? []
  if (days === '') throw usage(`${name} must be DAYS,WEEKS,MONTHS, such as 7,4,12`)
  return [Number(days), Number(weeks), Number(months)]
}

const dayMilliseconds = 86_400_000

/** Of times in ISO 8601, each the start of its day, week (from Monday) and month in UTC. */
const periods: readonly ((time: string) => string | number)[] = [
  (time) => time.slice(0, 10),
  (time) => Math.floor((Date.parse(time) / dayMilliseconds + 3) / 7),
  (time) => time.slice(0, 7),
]

const newestFirst = (backups: readonly StoredObject[]): StoredObject[] =>
  backups.toSorted(
    (one, other) => other.writtenAt.localeCompare(one.writtenAt) || other.name.localeCompare(one.name),
  )

/** The backups beyond a rule: neither the newest of all, nor of one of the last days, weeks or months that have any. */
export function beyond(backups: readonly StoredObject[], keeping: Keeping): StoredObject[] {
  const sorted = newestFirst(backups)
  const kept = new Set(sorted.slice(0, 1))
  for (const [at, periodOf] of periods.entries()) {
    const newest = Map.groupBy(sorted, ({ writtenAt }) => periodOf(writtenAt))
    for (const [first] of [...newest.values()].slice(0, keeping[at])) if (first) kept.add(first)
  }
  return sorted.filter((one) => !kept.has(one))
}

/** The backups of a place, each with its list of erasures. */
async function backupsIn(place: BackupPlace): Promise<StoredObject[]> {
  const found = await Array.fromAsync(place.list())
  const names = new Set(found.map(({ name }) => name))
  return found.filter(({ name }) => name.endsWith('.db') && names.has(`${name}.erased`))
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(file), digest)
  return digest.digest('hex')
}

/** Copies a backup with erasures and photos, reads it back, and removes older ones. @throws CommandError unverified */
export async function sentTo(to: string, file: string, registry: Registry, keeping: Keeping | undefined) {
  const place = placeAt(to)
  const name = path.basename(file)
  // The list first: a copy without one is no backup.
  for (const suffix of ['.erased', '']) {
    const back = `${file}${suffix}.read-back`
    await rm(back, { force: true })
    await place.put(`${name}${suffix}`, `${file}${suffix}`)
    try {
      await place.fetch(`${name}${suffix}`, back)
      if ((await digestOf(back)) !== (await digestOf(`${file}${suffix}`)))
        throw new CommandError('unverified', `${inert(to)} gives back another ${inert(name)} than it got`)
    } finally {
      await rm(back, { force: true })
    }
  }
  const photos = storageAt(photosIn(to))
  const wanted = new Set<string>()
  let count = 0
  if (registry.photos.areKept) {
    const kept = storageAt(photosBeside(file))
    for await (const sha256 of registry.photos.files()) {
      wanted.add(sha256)
      const isThere = await photos.has(sha256)
      const bytes = isThere ? undefined : await kept.get(sha256)
      if (bytes) await photos.put({ sha256, bytes })
      if (isThere || bytes) count++
    }
    for await (const { sha256 } of photos.list()) if (!wanted.has(sha256)) await photos.delete(sha256)
  }
  const old = keeping === undefined ? [] : beyond(await backupsIn(place), keeping)
  for (const { name: removed } of old)
    for (const suffix of ['', '.erased']) await place.delete(`${removed}${suffix}`)
  return { place: to, photos: count, removed: old.map((one) => one.name) }
}

/** Writes a backup (default the newest) into a folder, with the newest list of erasures. @throws CommandError */
export async function fetched(
  from: string,
  folder: string,
  name: string | undefined,
  photosOf: (file: string) => AsyncIterable<string>,
): Promise<{ readonly file: string; readonly photos: number; readonly missing: number }> {
  const place = placeAt(from)
  const backups = await backupsIn(place)
  const [newest] = newestFirst(backups)
  const wanted = name === undefined ? newest : backups.find((one) => one.name === name)
  if (newest === undefined || wanted === undefined) throw missing(from, name ?? 'backup')
  const file = path.join(folder, wanted.name)
  for (const each of [file, `${file}.erased`])
    if (existsSync(each)) throw usage(`${inert(each)} exists already; choose another folder or remove it`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await place.fetch(`${newest.name}.erased`, `${file}.erased`)
  await place.fetch(wanted.name, file)
  const [away, here] = [storageAt(photosIn(from)), storageAt(photosBeside(file))]
  let [photos, lost] = [0, 0]
  for await (const sha256 of photosOf(file)) {
    const bytes = await away.get(sha256)
    if (bytes) await here.put({ sha256, bytes })
    if (bytes) photos++
    else lost++
  }
  return { file, photos, missing: lost }
}
