import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { NumberList } from '../parquet/number-list.ts'

/** Bytes up to which all texts are read at once. */
const readAtOnce = 1 << 26

/** Texts in a temporary file, to be read in any order. Memory: eight bytes a text, and all of them while they are less than 64 MB. */
export class Spool {
  readonly #path: string
  readonly #file: number
  readonly #ends = new NumberList()
  #pending = ''
  #written = 0
  #length = 0
  /** All texts, once one of few is read. */
  #all: Buffer | undefined

  constructor(path: string) {
    this.#path = path
    this.#file = openSync(path, 'wx+')
  }

  get count(): number {
    return this.#ends.length
  }

  add(text: string): void {
    this.#all = undefined
    this.#pending += text
    this.#length += Buffer.byteLength(text)
    this.#ends.push(this.#length)
    if (this.#pending.length > 1 << 20) this.#flush()
  }

  /** The text that was added as number `index`, from 0. */
  read(index: number): string {
    this.#flush()
    const start = index === 0 ? 0 : this.#ends.at(index - 1)
    const end = this.#ends.at(index)
    if (this.#length > readAtOnce) return this.#bytes(start, end).toString('utf8')
    this.#all ??= this.#bytes(0, this.#length)
    return this.#all.toString('utf8', start, end)
  }

  #bytes(start: number, end: number): Buffer {
    const bytes = Buffer.allocUnsafe(end - start)
    readSync(this.#file, bytes, 0, bytes.length, start)
    return bytes
  }

  /** Closes and removes the file. */
  remove(): void {
    closeSync(this.#file)
    rmSync(this.#path, { force: true })
  }

  #flush(): void {
    if (this.#pending === '') return
    const bytes = Buffer.from(this.#pending)
    this.#pending = ''
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#written + done)
    }
    this.#written += bytes.length
  }
}
