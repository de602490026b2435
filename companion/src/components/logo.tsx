import { phoneSizes } from '@integrity/protocol/clients/tokens'
import { useEffect, useState } from 'react'
import { Image } from 'react-native'

/** An organisation's logo as wide as it is; nothing where it does not load, as the name is beside it anyway. */
export const Logo = ({ uri }: { readonly uri: string }) => {
  const [loaded, setLoaded] = useState<{ readonly uri: string; readonly ratio: number }>()
  useEffect(() => {
    let stale = false
    Image.getSize(
      uri,
      (width, height) => {
        if (!stale && height > 0) setLoaded({ uri, ratio: width / height })
      },
      () => {},
    )
    return () => {
      stale = true
    }
  }, [uri])
  if (loaded?.uri !== uri) return null
  const { logoHeight: height, logoWidth } = phoneSizes
  const style = { width: Math.min(logoWidth, height * loaded.ratio), height }
  return <Image source={{ uri }} alt="" resizeMode="contain" style={style} />
}
