import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'

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

const line = /^(\d{1,15}) ([A-Za-z]{1,64}) ([0-9a-f]{64})$/u

/**
 * The list of what was erased, beside the database: an older backup does not have it, so that restoring one does not
 * bring erased text back. One line an erasure: the entry's id, the field, and the hash.
 */
export class ErasureList {
  /** The file, only its owner may read it. */
  readonly file: string

  /** @param database the database's file */
  constructor(database: string) {
    this.file = `${path.resolve(database)}.erased`
  }

  /** Adds what entries lost; it survives a power cut. */
  async add(losses: readonly Loss[]): Promise<void> {
    if (losses.length === 0) return
    const text = losses.map((loss) => `${loss.id} ${loss.field} ${lossHash(loss)}\n`).join('')
    const handle = await open(this.file, 'a', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  /** Everything that was erased; nothing when there is no list. Lines that a crash cut off are left out. */
  read(): Erasure[] {
    let text: string
    try {
      text = readFileSync(this.file, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
    return text.split('\n').flatMap((each) => {
      const [, id, field, known] = line.exec(each) ?? []
      return id === undefined || field === undefined || known === undefined
        ? []
        : [{ id: Number(id), field, hash: known }]
    })
  }
}
