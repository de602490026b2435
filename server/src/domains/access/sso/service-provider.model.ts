/** The addresses of this service as an organisation's identity provider knows it. */
export const serviceProviderOf = (baseUrl: string, slug: string) => {
  const at = `${baseUrl}/v1/auth/sso/${slug}`
  return {
    entityId: `${at}/metadata`,
    acsUrl: `${at}/acs`,
    sloUrl: `${at}/slo`,
    metadataUrl: `${at}/metadata`,
    loginUrl: `${at}/login`,
    callbackUrl: `${at}/callback`,
  }
}
export type ServiceProvider = ReturnType<typeof serviceProviderOf>
