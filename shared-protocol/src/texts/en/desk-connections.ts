/** Every text of the desk’s rooms of single sign-on, directories, brand, hiring systems and chat. */
export const texts = {
  connectionsSection: 'Single sign-on',
} as const
