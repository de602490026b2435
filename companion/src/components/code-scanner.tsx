import { CameraView, useCameraPermissions } from 'expo-camera'
import { useEffect } from 'react'
import { View } from 'react-native'
import { useTheme } from '../hooks/use-theme.ts'

export const canScan = (): boolean => true

interface Props {
  readonly label: string
  readonly onFound: (text: string) => void
}

export const CodeScanner = ({ label, onFound }: Props) => {
  const { styles } = useTheme()
  const [permission, ask] = useCameraPermissions()
  useEffect(() => {
    // Declined, the picture stays dark, and the code can still be typed.
    if (permission && !permission.granted && permission.canAskAgain) ask().catch(() => undefined)
  }, [permission, ask])
  return (
    <View style={styles.picture} aria-label={label}>
      {permission?.granted && (
        <CameraView
          style={{ flex: 1 }}
          barcodeScannerSettings={{ barcodeTypes: ['qr'] }}
          onBarcodeScanned={({ data }) => onFound(data)}
        />
      )}
    </View>
  )
}
