/** An option of an app cannot be used; the message begins with its name and says the remedy. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError'
  /** Such as `trustProxy` or `heavyWork.atOnce`. */
  readonly option: string

  constructor(option: string, message: string) {
    super(`${option} ${message}`)
    this.option = option
  }
}
