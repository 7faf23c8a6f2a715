/** A block of code in a Markdown text. */
export interface Block {
  /** The first word after the opening fence, such as `ts`. */
  readonly language: string
  /** The other words, such as `run` or `examples/bot.ts`. */
  readonly words: readonly string[]
  readonly code: string
  /** The line on which its code begins, from 1. */
  readonly line: number
}

/** The fenced blocks of code of a Markdown text, in their order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S*)([^\n]*)\n(.*?)^```$/gmsu)].map((match) => {
    const [, language = '', rest = '', code = ''] = match
    const words = rest.split(' ').filter((word) => word !== '')
    return { language, words, code, line: markdown.slice(0, match.index).split('\n').length + 1 }
  })
}

/** Targets of a Markdown text's links to local files, without fragments. */
export function localLinksOf(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```.*?^```$/gmsu, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/gu)]
    .map(([, target = '']) => target.replace(/#.*/u, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/u.test(target))
}
