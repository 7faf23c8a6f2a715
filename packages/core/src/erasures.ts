import { hash } from 'node:crypto'
import * as fs from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { invalid } from './errors.ts'
import { giveFile } from './files.ts'

export interface ErasedAgain {
  /** The number of entries that lost text again. */
  readonly erased: number
  readonly erasedReports: number
  readonly left: number
  readonly deletedPhotos: number
}

/** A field that an entry lost: the entry's id and leaf hash, and the name of the field. */
export interface Loss {
  readonly id: number
  readonly leaf: string
  readonly field: string
}

/** How an erasure is known: by the entry's id, and a hash of its leaf and the field, which says nothing by itself. */
export interface Erasure {
  readonly id: number
  readonly field: string
  readonly hash: string
}

/** The hash of a lost field: SHA-256 of the leaf hash in hexadecimal, a line feed and the field's name. */
export function lossHash({ leaf, field }: Pick<Loss, 'leaf' | 'field'>): string {
  return hash('sha256', `${leaf}\n${field}`, 'hex')
}

export const lossOf = (loss: Loss): Erasure => ({ id: loss.id, field: loss.field, hash: lossHash(loss) })

/** The list's line for a person who has left: no entry has the id 0, and the hash does not reveal the person. */
export function leavingOf(userId: string): Erasure {
  return { id: 0, field: 'left', hash: hash('sha256', `left\n${userId}`, 'hex') }
}

/** How a list knows that the texts of a report were erased, by its random id. */
export function reportErasureOf(id: string): Erasure {
  return { id: 0, field: 'report', hash: hash('sha256', `report\n${id}`, 'hex') }
}

/** How a list knows a photo that was deleted, by the entry that made it. */
export const photoErasureOf = ({ id, leaf }: Pick<Loss, 'id' | 'leaf'>): Erasure =>
  lossOf({ id, leaf, field: 'photo' })

const lineOf = ({ id, field, hash: known }: Erasure): string => `${id} ${field} ${known}`

const line = /^(\d{1,15}) ([A-Za-z]{1,64}) ([0-9a-f]{64})$/u
const ownerOnly = 0o600
const everybodyElse = 0o077

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Where a database is, also when it is lost and only a symbolic link to it is left. */
export function located(database: string): string {
  const file = path.resolve(database)
  try {
    return fs.realpathSync(file)
  } catch (error) {
    if (!isMissing(error)) throw error
    const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
    return isLink ? path.resolve(path.dirname(file), fs.readlinkSync(file)) : file
  }
}

/** The list of erasures beside the database: restoring an older backup does not replace it. One line an erasure. */
export class ErasureList {
  /** The file, only its owner may read it. */
  readonly file: string

  constructor(database: string) {
    this.file = `${located(database)}.erased`
  }

  /** Adds erasures, unless they are listed; they survive a power cut. */
  async addAll(erasures: readonly Erasure[]): Promise<void> {
    if (erasures.length > 0) await this.keep(erasures)
  }

  /** Adds erasures, unless they are listed; without any, there is a list that says so. */
  async keep(erasures: readonly Erasure[]): Promise<void> {
    const isNew = !this.exists
    const before = this.#text()
    const listed = new Set(before.split('\n'))
    const lines = erasures.map(lineOf)
    const added = [...new Set(lines)].filter((each) => !listed.has(each)).map((each) => `${each}\n`)
    if (added.length === 0 && !isNew) return
    // The end of a line that a crash cut off.
    const start = before === '' || before.endsWith('\n') ? '' : '\n'
    // A symbolic link in the folder must not redirect the write. Windows has no such flag.
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = fs.constants
    const handle = await open(this.file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, ownerOnly)
    try {
      const { mode } = await handle.stat()
      if ((mode & everybodyElse) !== 0) await handle.chmod(mode & ownerOnly)
      giveFile(handle.fd, this.file)
      await handle.writeFile(`${start}${added.join('')}`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (isNew) syncFolder(path.dirname(this.file))
  }

  get exists(): boolean {
    return fs.existsSync(this.file)
  }

  #text(): string {
    try {
      return fs.readFileSync(this.file, 'utf8')
    } catch (error) {
      if (isMissing(error)) return ''
      throw error
    }
  }

  /** All erasures; empty without a list. Lines cut off by a crash are left out. */
  read(): Erasure[] {
    return erasuresIn(this.#text())
  }
}

export function listsBeside(backup: string): ErasureList[] {
  const folder = path.dirname(located(backup))
  const { uid } = fs.statSync(backup)
  const others = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith('.erased'))
    .map(({ name }) => path.join(folder, name))
    .filter((file) => fs.statSync(file).uid === uid)
  const databases = [located(backup), ...others.map((file) => file.slice(0, -'.erased'.length))]
  return [...new Set(databases)].map((each) => new ErasureList(each)).filter(({ exists }) => exists)
}

function erasuresIn(text: string): Erasure[] {
  return text.split('\n').flatMap((each) => {
    const [, id, field, known] = line.exec(each) ?? []
    return id === undefined || field === undefined || known === undefined
      ? []
      : [{ id: Number(id), field, hash: known }]
  })
}

/** A list as text, the same for the same erasures. */
export function listText(erasures: readonly Erasure[]): string {
  return [...new Set(erasures.map(lineOf))]
    .toSorted()
    .map((each) => `${each}\n`)
    .join('')
}

/** The beginning of a line, as a crash leaves it in the list beside a file. */
const cutOff = /^(?:\d{1,15}(?: [A-Za-z]{0,64}(?: [0-9a-f]{0,63})?)?)?$/u

/** Reads a list as `listText` makes it, or that beside a file. @throws RegistryError INVALID_INPUT for another text */
export function listed(text: string): Erasure[] {
  const lines = text.split(/\r?\n/u)
  const wrong = lines.findIndex((each) => !line.test(each) && !cutOff.test(each))
  if (wrong !== -1) throw invalid('list', `must be a list of erasures, and line ${wrong + 1} is none`)
  return erasuresIn(lines.join('\n'))
}

/** Makes a new or a renamed file survive a power cut. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
