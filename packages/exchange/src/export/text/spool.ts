import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'

/** Bytes up to which all texts are read at once. */
const readAtOnce = 1 << 26
/** Bytes that are written at once. */
const pendingBytes = 1 << 20

/** Texts in a temporary file, to be read in any order. Memory: eight bytes a text, and all of them while they are less than 64 MB. */
export class Spool {
  readonly #path: string
  readonly #file: number
  readonly #ends: number[] = []
  readonly #pending = Buffer.allocUnsafe(pendingBytes)
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

  /** Appends a text, or its bytes in UTF-8. */
  add(text: string | Uint8Array): void {
    this.#all = undefined
    const length = typeof text === 'string' ? Buffer.byteLength(text) : text.length
    if (length > pendingBytes - (this.#length - this.#written)) this.#flush()
    if (length > pendingBytes) this.#write(typeof text === 'string' ? Buffer.from(text) : text)
    else if (typeof text === 'string') this.#pending.write(text, this.#length - this.#written)
    else this.#pending.set(text, this.#length - this.#written)
    this.#length += length
    this.#ends.push(this.#length)
  }

  /** The text that was added as number `index`, from 0. */
  read(index: number): string {
    return this.bytes(index).toString('utf8')
  }

  /** The bytes of the text that was added as number `index`, from 0. */
  bytes(index: number): Buffer {
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0)
    const end = this.#ends[index] ?? 0
    if (this.#length > readAtOnce) return this.#read(start, end)
    this.#all ??= this.#read(0, this.#length)
    return this.#all.subarray(start, end)
  }

  #read(start: number, end: number): Buffer {
    this.#flush()
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
    this.#write(this.#pending.subarray(0, this.#length - this.#written))
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#written + done)
    }
    this.#written += bytes.length
  }
}
