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
