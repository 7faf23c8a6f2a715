/** The header with the user a page expects to be signed in: an id, percent-encoded, since headers are ASCII. */
export const signedInAs = 'Signed-In-As'

/** Whether the user of a request is the one its header expects; true without the header. */
export function isFromMeant({ headers }: Request, userId: string | undefined): boolean {
  const meant = headers.get(signedInAs)?.trim()
  return meant === undefined || (userId !== undefined && meant === encodeURIComponent(userId))
}
