import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { NumberList } from '../parquet/number-list.ts'

/** Texts in a temporary file, to be read in any order. Memory: eight bytes a text. */
export class Spool {
  readonly #path: string
  readonly #file: number
  readonly #ends = new NumberList()
  #pending = ''
  #written = 0
  #length = 0

  constructor(path: string) {
    this.#path = path
    this.#file = openSync(path, 'wx+')
  }

  get count(): number {
    return this.#ends.length
  }

  add(text: string): void {
    this.#pending += text
    this.#length += Buffer.byteLength(text)
    this.#ends.push(this.#length)
    if (this.#pending.length > 1 << 20) this.#flush()
  }

  /** The text that was added as number `index`, from 0. */
  read(index: number): string {
    this.#flush()
    const start = index === 0 ? 0 : this.#ends.at(index - 1)
    const bytes = Buffer.allocUnsafe(this.#ends.at(index) - start)
    readSync(this.#file, bytes, 0, bytes.length, start)
    return bytes.toString('utf8')
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
