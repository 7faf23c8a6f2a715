/** An external failure, for the operator's log, without addresses, codes, secrets or foreign text. */
export type AccountsFailure =
  /**
   * A mail given up. `reason` is a code such as `ECONNECTION` or `550`; `FULL` when too many are waiting, `CLOSED` when
   * a retry is pending at the end.
   */
  | { readonly part: 'mail'; readonly reason: string }
  /** A faulty response of a provider. `reason` is a code such as `OAUTH_TIMEOUT` or `invalid_client`. */
  | { readonly part: 'provider'; readonly provider: string; readonly reason: string }

export type ReportFailure = (failure: AccountsFailure) => void

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly language: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one mail. It throws an error with a `code`, and with the server's `responseCode` if there is one. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<unknown>

/** The most waiting mails; further ones are given up. */
const mostWaiting = 1000
const atOnce = 2

/** Sends mails in the background, and retries after transient failures. */
export class Outbox {
  readonly #send: SendMail
  readonly #report: ReportFailure
  readonly #retryAfterMs: readonly number[]
  readonly #waiting: (() => Promise<void>)[] = []
  readonly #retries = new Set<NodeJS.Timeout>()
  readonly #aborting = new AbortController()
  #making = 0
  #running = 0
  #isClosing = false
  #isClosed = false
  #whenIdle: (() => void)[] = []

  constructor(
    send: SendMail,
    { report, retryAfterMs }: { readonly report: ReportFailure; readonly retryAfterMs: readonly number[] },
  ) {
    this.#send = send
    this.#report = report
    this.#retryAfterMs = retryAfterMs
  }

  /** Queues mails that are made later; returns at once. */
  add(make: () => Promise<readonly Mail[]>): void {
    this.#making++
    setImmediate(() => void this.#make(make))
  }

  async #make(make: () => Promise<readonly Mail[]>): Promise<void> {
    try {
      for (const mail of await make()) this.#enqueue(() => this.#deliver(mail, 0))
    } catch {
      this.#report({ part: 'mail', reason: 'STORAGE' })
    } finally {
      this.#making--
      this.#settle()
    }
  }

  #enqueue(job: () => Promise<void>): void {
    if (this.#isClosed || this.#waiting.length + this.#retries.size >= mostWaiting) {
      this.#report({ part: 'mail', reason: this.#isClosed ? 'CLOSED' : 'FULL' })
      return
    }
    this.#waiting.push(job)
    void this.#run()
  }

  async #run(): Promise<void> {
    if (this.#running >= atOnce) return
    this.#running++
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) await job()
    this.#running--
    this.#settle()
  }

  async #deliver(mail: Mail, failures: number): Promise<void> {
    try {
      await this.#send(mail, this.#aborting.signal)
    } catch (error) {
      const { reason, isPermanent } = described(error)
      const delay = this.#retryAfterMs[failures]
      if (isPermanent || delay === undefined || this.#isClosing) {
        this.#report({ part: 'mail', reason })
        return
      }
      const timer = setTimeout(() => {
        this.#retries.delete(timer)
        this.#enqueue(() => this.#deliver(mail, failures + 1))
      }, delay)
      // Pending retries do not keep the process running.
      timer.unref()
      this.#retries.add(timer)
    }
  }

  /** Sends a mail now, once. @returns `done` also when it is refused for good; `later`; `unreachable` */
  async deliver(mail: Mail): Promise<'done' | 'later' | 'unreachable'> {
    if (this.#isClosing) return 'unreachable'
    this.#making++
    try {
      await this.#send(mail, this.#aborting.signal)
      return 'done'
    } catch (error) {
      const { reason, isPermanent, isOfMail } = described(error)
      this.#report({ part: 'mail', reason })
      if (!isOfMail) return 'unreachable'
      return isPermanent ? 'done' : 'later'
    } finally {
      this.#making--
      this.#settle()
    }
  }

  get #isIdle(): boolean {
    return this.#making === 0 && this.#running === 0
  }

  #settle(): void {
    if (this.#isIdle) for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  /** Sends the waiting mails, gives up pending retries, and accepts no more. */
  async close({ withinMs }: { readonly withinMs: number }): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#retries) {
      clearTimeout(timer)
      this.#report({ part: 'mail', reason: 'CLOSED' })
    }
    this.#retries.clear()
    const timer = setTimeout(() => this.#aborting.abort(), withinMs)
    if (!this.#isIdle) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
    clearTimeout(timer)
    this.#isClosed = true
  }
}

/** The reason of a failure, without the server's words, which may repeat the address. */
function described(error: unknown) {
  const { code, responseCode, command } =
    typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>) : {}
  const status = typeof responseCode === 'number' ? responseCode : undefined
  const name = typeof code === 'string' && /^[A-Z_]{1,40}$/u.test(code) ? code : 'UNKNOWN'
  return {
    reason: status === undefined ? name : `${name} ${status}`,
    isPermanent: status !== undefined && status >= 500,
    /** Whether this mail was refused, and others might be taken. */
    isOfMail: status !== undefined && (command === 'RCPT TO' || command === 'DATA'),
  }
}
