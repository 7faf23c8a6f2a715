import { ImportRefused, quotable } from './refusal.ts'
import { readingLimits } from './source-row.ts'

/** One piece of a large JSON text: an element of its list, or a member of its outermost object. */
interface JsonElement {
  /** The member's name; absent for the elements of the list. */
  readonly key?: string
  readonly text: string
  /** Whether it is what stands beside a list in a member of the outermost object. */
  readonly isRest?: true
}

/** Members of the outermost object that hold the list among others: of CKAN, and of OData 2. */
const wrappers = new Set(['result', 'd'])

const structural = /["{}[\],:]/gu

/**
 * Splits one large JSON text into its elements without holding it: the elements of an outermost list, or of the list under one
 * of `lists` in the outermost object, or in `result` or `d` there, else the members of the outermost object one by one. Such
 * a list itself is given as an empty one. Only the outline is followed here; JSON.parse reads each element.
 *
 * @throws ImportRefused TRUNCATED, MALFORMED, TOO_LARGE, TOO_DEEP
 */
export async function* jsonElements(
  chunks: AsyncIterable<string>,
  lists: readonly string[],
): AsyncGenerator<JsonElement[]> {
  const outline = new JsonOutline(new Set(lists))
  for await (const chunk of chunks) yield outline.push(chunk)
  outline.end()
}

/** Follows brackets and strings to find where elements begin and end. */
class JsonOutline {
  readonly #lists: ReadonlySet<string>
  #buffer = ''
  /** Where scanning continues in `buffer`. */
  #at = 0
  #depth = 0
  #inString = false
  #root: '{' | '[' | undefined
  /** Depth of the elements of interest: 1, or 2 within a list of the outermost object, or 3 within one in a wrapper. */
  #level = 1
  #key: string | undefined
  /** Where the current element begins in `buffer`, or -1. */
  #start = 0
  #finished = false
  /** Within a wrapper: where its current member begins in `buffer`, and its name. */
  #member = -1
  #memberKey: unknown
  /** Whether the list of the wrapper is complete. */
  #isRest = false
  readonly #elements: JsonElement[] = []

  constructor(lists: ReadonlySet<string>) {
    this.#lists = lists
  }

  push(chunk: string): JsonElement[] {
    if (this.#start > 0) {
      this.#buffer = this.#buffer.slice(this.#start) + chunk
      this.#at -= this.#start
      this.#member -= this.#start
      this.#start = 0
    } else this.#buffer += chunk
    this.#scan()
    if (this.#buffer.length - this.#start > readingLimits.record)
      throw new ImportRefused({ code: 'TOO_LARGE' }, 'One JSON value is larger than 4 MB.')
    return this.#elements.splice(0)
  }

  end(): void {
    if (this.#root === undefined || this.#depth > 0 || this.#inString)
      throw new ImportRefused({ code: 'TRUNCATED' }, 'The JSON is not complete.')
    if (this.#buffer.slice(this.#start).trim() !== '')
      throw this.#malformed('more text follows the JSON value')
  }

  #scan(): void {
    const buffer = this.#buffer
    while (this.#at < buffer.length) {
      if (this.#inString) {
        if (!this.#skipString(buffer)) return
        continue
      }
      structural.lastIndex = this.#at
      const found = structural.exec(buffer)
      if (found === null) {
        this.#at = buffer.length
        return
      }
      this.#step(found[0], found.index)
    }
  }

  /** Moves past the closing quote; false when it has not been read yet. */
  #skipString(buffer: string): boolean {
    const quote = buffer.indexOf('"', this.#at)
    if (quote === -1) {
      // A backslash at the end of the chunk belongs to the next character: the whole run is scanned again then.
      this.#at = buffer.length - trailingBackslashes(buffer, buffer.length)
      return false
    }
    if (trailingBackslashes(buffer, quote) % 2 === 0) this.#inString = false
    this.#at = quote + 1
    return true
  }

  #step(mark: string, index: number): void {
    this.#at = index + 1
    if (this.#finished) throw this.#malformed('more text follows the JSON value')
    if (mark === '"') this.#inString = true
    else if (mark === '{' || mark === '[') this.#open(mark, index)
    else if (mark === '}' || mark === ']') this.#close(mark, index)
    else if (mark === ',') {
      if (this.#depth === this.#level) this.#finishElement(index)
      else if (this.#depth === 2) this.#member = index + 1
    } else if (this.#depth === 2 && this.#isWrapper())
      this.#memberKey = jsonOf(this.#buffer.slice(this.#member, index))
    else if (this.#depth === 1 && this.#root === '{' && this.#key === undefined && this.#level === 1)
      this.#name(index)
  }

  #open(mark: '{' | '[', index: number): void {
    this.#depth += 1
    if (this.#depth > readingLimits.depth) throw new ImportRefused({ code: 'TOO_DEEP' })
    if (this.#depth === 1) {
      this.#root = mark
      this.#start = index + 1
    } else if (this.#depth === 2 && this.#root === '{' && mark === '[' && this.#lists.has(this.#key ?? '')) {
      this.#level = 2
      this.#start = index + 1
      this.#elements.push({ key: this.#key ?? '', text: '[]' })
    } else if (this.#depth === 2 && mark === '{') {
      this.#member = index + 1
      this.#memberKey = undefined
    } else if (this.#depth === 3 && mark === '[' && this.#isWrapper()) this.#openWrapped(index)
  }

  #isWrapper(): boolean {
    return this.#level === 1 && this.#root === '{' && !this.#isRest && wrappers.has(this.#key ?? '')
  }

  /** Goes on with the elements of a list in a wrapper, after what stood before it. */
  #openWrapped(index: number): void {
    const key = this.#memberKey
    if (typeof key !== 'string' || !this.#lists.has(key)) return
    const before = this.#buffer.slice(this.#start, this.#member).trim()
    this.#elements.push({ key, text: '[]' }, { key, text: `${before.replace(/,$/u, '')}}`, isRest: true })
    this.#level = 3
    this.#start = index + 1
  }

  #close(mark: '}' | ']', index: number): void {
    if (this.#depth === this.#level) {
      this.#finishElement(index)
      if (this.#level > 1) {
        if (mark !== ']') throw this.#malformed('a list is closed with }')
        this.#isRest = this.#level === 3
        this.#skipComma = this.#level === 2
        this.#level = 1
        this.#depth -= 1
        // The list's member is complete; next comes another member or the end.
        if (this.#skipComma) this.#key = undefined
        return
      }
      if (mark !== (this.#root === '{' ? '}' : ']'))
        throw this.#malformed(`${mark} closes what it did not open`)
      this.#finished = true
    }
    this.#depth -= 1
    if (this.#depth < 0) throw this.#malformed(`${mark} closes what was not open`)
  }

  #skipComma = false

  #name(index: number): void {
    const text = this.#buffer.slice(this.#start, index).trim()
    const key = jsonOf(text)
    if (typeof key !== 'string') throw this.#malformed('a member has no name')
    this.#key = key
    this.#start = index + 1
  }

  #finishElement(index: number): void {
    const text = this.#buffer.slice(this.#start, index).trim()
    this.#start = index + 1
    if (this.#skipComma && this.#level === 1) {
      this.#skipComma = false
      if (text !== '') throw this.#malformed('a comma is missing')
      return
    }
    if (text === '') return
    if (this.#level > 1 || this.#root === '[') {
      this.#elements.push({ text })
      return
    }
    if (this.#key === undefined) throw this.#malformed('a member has no name')
    this.#elements.push(
      this.#isRest
        ? { key: this.#key, text: `{${text.replace(/^,/u, '')}`, isRest: true }
        : { key: this.#key, text },
    )
    this.#isRest = false
    this.#key = undefined
  }

  #malformed(what: string): ImportRefused {
    return new ImportRefused({ code: 'MALFORMED' }, `The JSON is damaged: ${what}.`)
  }
}

/** A piece of JSON, parsed. @throws ImportRefused MALFORMED naming the record */
export function parseElement(text: string, row: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? quotable(error.message) : ''
    const found = `Record ${row} is not valid JSON (${reason}).`
    throw new ImportRefused({ code: 'MALFORMED', row }, found, { cause: error })
  }
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function trailingBackslashes(text: string, end: number): number {
  let count = 0
  while (text.charCodeAt(end - 1 - count) === 92) count += 1
  return count
}
