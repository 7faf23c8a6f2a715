/** The header with the user a page expects to be signed in: an id, percent-encoded, since headers are ASCII. */
export const signedInAs = 'Signed-In-As'

/** Whether the user of a request is the one its header expects; true without the header. */
export function isExpectedUser({ headers }: Request, userId: string | undefined): boolean {
  const expected = headers.get(signedInAs)?.trim()
  return expected === undefined || (userId !== undefined && expected === encodeURIComponent(userId))
}
