/**
 * Something outside that did not work, for the log of whoever runs the registry. It has no address, no code, no secret and
 * no text of the other side.
 */
export type AccountsFailure =
  /** A mail that was given up. `reason` is a code such as `ECONNECTION` or `550`; `FULL` when too many were waiting, `CLOSED` when it would have been sent again. */
  | { readonly part: 'mail'; readonly reason: string }
  /** A provider that did not respond as it should. `reason` is a code such as `OAUTH_TIMEOUT` or `invalid_client`. */
  | { readonly part: 'provider'; readonly provider: string; readonly reason: string }

export type ReportFailure = (failure: AccountsFailure) => void
