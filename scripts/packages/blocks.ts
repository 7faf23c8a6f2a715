/** A block of code in a Markdown text. */
export interface Block {
  /** What stands after the opening fence, such as `ts`. */
  readonly language: string
  readonly code: string
  /** The line on which its code begins, from 1. */
  readonly line: number
}

/** The fenced blocks of code of a Markdown text, in their order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S*)[^\n]*\n(.*?)^```$/gmsu)].map((match) => {
    const [, language = '', code = ''] = match
    return { language, code, line: markdown.slice(0, match.index).split('\n').length + 1 }
  })
}
