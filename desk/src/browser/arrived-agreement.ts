/** The token of the mailed link by which an account agrees, which the address brought; it is in the address no more. */
export const takeArrivedAgreement = (): string | undefined => {
  const [, token] = /^#agree\.(vch_\w{10,190})$/.exec(location.hash) ?? []
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return token
}
