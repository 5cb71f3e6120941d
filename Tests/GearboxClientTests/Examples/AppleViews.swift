#if canImport(UIKit) && canImport(SwiftUI)
    import GearboxClient
    import SwiftUI
    import UIKit

    extension PictureLoader where Picture == UIImage {
        /// The app's loader: made once, and handed to whoever shows pictures.
        static func bundled() throws -> PictureLoader {
            let folder = (Bundle.main.resourcePath ?? "") + "/pictures"
            let index = try RelationIndex(path: folder + "/index.sqlite")
            return PictureLoader(index: index, costLimit: 64 << 20) { place, transform in
                let data: Data
                switch place {
                case .file(let path):
                    data = try Data(contentsOf: URL(filePath: path))
                case .network(let url):
                    guard let url = URL(string: url) else { throw URLError(.badURL) }
                    data = try await URLSession.shared.data(from: url).0
                }
                guard let image = UIImage(data: data)?.showing(transform) else {
                    throw CocoaError(.fileReadCorruptFile)
                }
                return DecodedPicture(
                    image,
                    size: PixelSize(width: Int(image.size.width), height: Int(image.size.height))
                )
            }
        }
    }

    extension UIImage {
        /// Scales, then crops; in pixels, and decoded when it returns.
        func showing(_ transform: Resolution.Transform?) -> UIImage {
            let scaled =
                transform?.scale.map { CGSize(width: $0.width, height: $0.height) } ?? size
            let crop = transform?.crop
            let shown = crop.map { CGSize(width: $0.width, height: $0.height) } ?? scaled
            let format = UIGraphicsImageRendererFormat()
            format.scale = 1
            return UIGraphicsImageRenderer(size: shown, format: format).image { _ in
                draw(
                    in: CGRect(
                        origin: CGPoint(x: -(crop?.x ?? 0), y: -(crop?.y ?? 0)),
                        size: scaled
                    )
                )
            }
        }
    }

    struct Cover: View {
        let url: String
        let loader: PictureLoader<UIImage>
        @State private var image: UIImage?

        var body: some View {
            ZStack {
                if let image { Image(uiImage: image).resizable() } else { Color.gray }
            }
            .task(id: url) {
                // A cell that scrolls away cancels its wait, not that of others.
                let hit = try? await loader.picture(url)
                image = hit.map { $0.picture.showing($0.transform) }
            }
        }
    }

    final class CoverCell: UICollectionViewCell {
        let imageView = UIImageView()
        private var loading: Task<Void, Never>?

        func show(_ url: String, from loader: PictureLoader<UIImage>) {
            loading?.cancel()
            if let hit = loader.pictureInMemory(url) {
                imageView.image = hit.picture.showing(hit.transform)
                return
            }
            imageView.image = nil
            loading = Task { [imageView] in
                let hit = try? await loader.picture(url)
                if !Task.isCancelled { imageView.image = hit?.picture.showing(hit?.transform) }
            }
        }
    }
#endif
