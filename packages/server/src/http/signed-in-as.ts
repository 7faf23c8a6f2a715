/** As whom a request is to be made: the id of a user, percent-encoded, since headers have no other letters. */
export const signedInAs = 'Signed-In-As'

/** Whether whoever sends a request is who it is meant to be from; of a request that does not say so, everybody is. */
export function isFromMeant({ headers }: Request, userId: string | undefined): boolean {
  const meant = headers.get(signedInAs)?.trim()
  return meant === undefined || (userId !== undefined && meant === encodeURIComponent(userId))
}
