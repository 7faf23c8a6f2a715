/** What can be wrong with the options of a build: each code with its facts. Folders are absolute. */
export interface SiteOptionFacts {
  /** `expected` continues the option's name, such as "must not be blank". */
  INVALID: { readonly option: string; readonly expected: string }
  /** One of the two folders lies in the other, or both are the same. */
  NESTED: { readonly option: 'out'; readonly out: string; readonly data: string }
  ROOT: { readonly option: 'out' }
  OUT_IS_FILE: { readonly option: 'out'; readonly out: string }
  /** The folder holds something other than an earlier site. */
  OUT_IN_USE: { readonly option: 'out'; readonly out: string }
  OUT_NOT_WRITABLE: { readonly option: 'out'; readonly out: string; readonly reason: string }
  /** Requested tags that are not available, and all available ones. */
  UNKNOWN_LANGUAGES: {
    readonly option: 'languages'
    readonly unknown: readonly string[]
    readonly available: readonly string[]
  }
}

export type SiteOptionCode = keyof SiteOptionFacts

/** A problem: a code together with the facts that belong to it. */
export type SiteOptionProblem<Code extends SiteOptionCode = SiteOptionCode> = {
  [One in Code]: { readonly code: One } & SiteOptionFacts[One]
}[Code]

const texts: { readonly [Code in SiteOptionCode]: (problem: SiteOptionProblem<Code>) => string } = {
  INVALID: ({ expected }) => expected,
  NESTED: ({ out, data }) => `${out} and the export folder ${data} must not lie inside each other`,
  ROOT: () => 'must not be the root of the disk',
  OUT_IS_FILE: ({ out }) => `${out} is a file; give a folder`,
  OUT_IN_USE: ({ out }) =>
    `${out} holds other files, which a build would replace; give a new or empty folder`,
  OUT_NOT_WRITABLE: ({ out, reason }) => `${out} cannot be written (${reason})`,
  UNKNOWN_LANGUAGES: ({ unknown, available }) =>
    `${unknown.join(', ')} not available; choose from ${available.join(', ')}`,
}

function foundText<Code extends SiteOptionCode>(problem: SiteOptionProblem<Code>): string {
  const text: (given: SiteOptionProblem<Code>) => string = texts[problem.code]
  return text(problem)
}

/**
 * An option of a build is invalid.
 *
 * `problem` has the code and its facts, `option` the name of the option, `found` what is wrong with it and what helps;
 * `message` is both, such as "base: must be a path that begins with a slash, such as /fountains".
 */
export class SiteOptionError extends Error {
  override readonly name = 'SiteOptionError'
  readonly problem: SiteOptionProblem
  readonly found: string

  constructor(problem: SiteOptionProblem, options?: ErrorOptions) {
    const text = foundText(problem)
    super(`${problem.option}: ${text}`, options)
    this.problem = problem
    this.found = text
  }

  get code(): SiteOptionCode {
    return this.problem.code
  }

  get option(): string {
    return this.problem.option
  }

  /** The facts of the problem, such as `option`, `out` or `available`. */
  get details(): Readonly<Record<string, unknown>> {
    const { code: _code, ...facts } = this.problem
    return facts
  }
}
