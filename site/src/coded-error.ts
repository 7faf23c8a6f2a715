export type Texts<Names extends string> = Readonly<Record<Names, string>>
export type Lists<Names extends string> = Readonly<Record<Names, readonly string[]>>
export type Numbers<Names extends string> = Readonly<Record<Names, number>>

/** An error with its code and facts as `problem`, and as a sentence, `found`. */
export class CodedError<Problem extends { readonly code: string }> extends Error {
  readonly problem: Problem
  readonly found: string

  constructor(problem: Problem, found: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
    this.found = found
  }

  get code(): Problem['code'] {
    return this.problem.code
  }

  /** The facts of the problem, such as `folder`, `option` or `line`. */
  get details(): Readonly<Record<string, unknown>> {
    const { code: _code, ...facts } = this.problem
    return facts
  }
}
