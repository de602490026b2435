/** How the install of a chat app ended, which the address brought back; it is in the address no more. */
export const takeArrivedChat = (): 'declined' | 'installed' | undefined => {
  const [, how] = /^#chat\.(installed|declined)$/.exec(location.hash) ?? []
  if (how === undefined) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return how === 'installed' ? 'installed' : 'declined'
}
