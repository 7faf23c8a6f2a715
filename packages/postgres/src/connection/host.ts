/** One server of a cluster. */
export interface Host {
  /** A name, an address, or the folder of a socket, which begins with a slash. */
  readonly host: string
  readonly port: number
}
