const chosenOrg = 'desk-organisation'

/** The slug of the organisation that was chosen last, in this tab. */
export const rememberedOrg = (): string | undefined => sessionStorage.getItem(chosenOrg) ?? undefined
export const rememberOrg = (slug: string): void => sessionStorage.setItem(chosenOrg, slug)

/** Who signs out leaves nothing that they wrote behind; the language stays. */
export const forgetPerson = (): void => {
  const keys = Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? '')
  for (const key of keys) if (key === chosenOrg || key.startsWith('draft ')) sessionStorage.removeItem(key)
}
