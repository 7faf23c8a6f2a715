/** An invalid option of an app; the message begins with its name and gives the remedy. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError'
  /** Such as `trustProxy` or `heavyWork.atOnce`. */
  readonly option: string

  constructor(option: string, message: string) {
    super(`${option} ${message}`)
    this.option = option
  }
}
