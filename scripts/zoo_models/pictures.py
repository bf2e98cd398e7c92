"""Images and their classes: transformers, timm, torchvision."""

from collections.abc import Callable, Iterator
from functools import partial

import torch
import transformers

from zoo_models.training import CLASSES, Step, classified, images, with_labels

VIT = {
    "image_size": 32,
    "patch_size": 8,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_labels": CLASSES,
}
HF = {
    "vit": ("ViT", VIT),
    "deit": ("DeiT", VIT),
    "beit": ("Beit", {**VIT, "use_relative_position_bias": True}),
    "dinov2": ("Dinov2", VIT),
    "convnext_hf": ("ConvNext", {"hidden_sizes": [8, 16], "depths": [1, 1], "num_stages": 2, "num_labels": CLASSES}),
    "swin_hf": (
        "Swin",
        {
            "image_size": 32,
            "patch_size": 4,
            "embed_dim": 8,
            "depths": [2, 2],
            "num_heads": [2, 2],
            "window_size": 4,
            "num_labels": CLASSES,
        },
    ),
    "resnet_hf": (
        "ResNet",
        {"embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1], "layer_type": "basic", "num_labels": CLASSES},
    ),
    "segformer": (
        "Segformer",
        {
            "num_encoder_blocks": 2,
            "depths": [1, 1],
            "sr_ratios": [2, 1],
            "hidden_sizes": [8, 16],
            "patch_sizes": [7, 3],
            "strides": [4, 2],
            "num_attention_heads": [1, 2],
            "mlp_ratios": [2, 2],
            "num_labels": CLASSES,
        },
    ),
    "mobilevit": (
        "MobileViT",
        {
            "image_size": 32,
            "hidden_sizes": [16, 16, 16],
            "neck_hidden_sizes": [8, 8, 8, 16, 16, 16, 16],
            "num_labels": CLASSES,
        },
    ),
}
TIMM = {
    "resnet18": {},
    "resnet50": {},
    "efficientnet_b0": {},
    "mobilenetv3_small_050": {},
    "convnext_atto": {},
    "vit_tiny_patch16_224": {"img_size": 32},
    "deit_tiny_patch16_224": {"img_size": 32},
    "swin_tiny_patch4_window7_224": {
        "img_size": 32,
        "window_size": 4,
        "embed_dim": 16,
        "depths": (2, 2),
        "num_heads": (2, 2),
    },
    "regnety_002": {},
    "densenet121": {"block_config": (2, 2)},
    "mixer_s32_224": {"img_size": 64},
    "poolformer_s12": {},
    "maxvit_pico_rw_256": {"img_size": 64},
    "beit_base_patch16_224": {"img_size": 32, "depth": 2, "embed_dim": 32, "num_heads": 4},
    "eva02_tiny_patch14_224": {"img_size": 28, "depth": 2},
    "mobilenetv2_050": {},
    "repvgg_a0": {},
    "seresnet18": {},
    "res2net50_14w_8s": {},
    "ghostnet_050": {},
    "levit_128s": {"img_size": 64},
    "cait_xxs24_224": {"img_size": 32, "depth": 2},
    "pvt_v2_b0": {},
    "fastvit_t8": {},
    "coatnet_nano_rw_224": {"img_size": 64},
    "inception_v3": {},
    "hrnet_w18_small": {},
    "xcit_nano_12_p16_224": {"img_size": 32, "depth": 2},
    "edgenext_xx_small": {},
}
VISION = (
    "resnet18",
    "resnet50",
    "mobilenet_v2",
    "mobilenet_v3_small",
    "efficientnet_b0",
    "convnext_tiny",
    "densenet121",
    "shufflenet_v2_x0_5",
    "squeezenet1_1",
    "vgg11",
    "alexnet",
    "googlenet",
    "mnasnet0_5",
    "regnet_y_400mf",
    "swin_t",
    "vit_b_16",
    "maxvit_t",
    "swin_v2_t",
)


def _hf(name, settings):
    config = getattr(transformers, f"{name}Config")(**settings)
    model = getattr(transformers, f"{name}ForImageClassification")(config)
    return with_labels(model, {"pixel_values": images(32), "labels": torch.randint(0, CLASSES, (2,))})


def _timm(name, settings):
    import timm

    size = settings.get("img_size", 96 if name == "inception_v3" else 64)
    return classified(timm.create_model(name, num_classes=CLASSES, **settings), size)


def _vision(name):
    import torchvision

    more, size = {}, 64
    if name in ("googlenet",):
        more = {"aux_logits": False, "init_weights": False}
    if name == "vit_b_16":
        return classified(torchvision.models.VisionTransformer(32, 8, 2, 4, 32, 64, num_classes=CLASSES), 32)
    if name == "maxvit_t":
        return classified(torchvision.models.MaxVit((64, 64), 8, 2, [8, 16], [1, 1], 4, 0.0, num_classes=CLASSES), 64)
    if name == "swin_t":
        return classified(
            torchvision.models.SwinTransformer([4, 4], 16, [2, 2], [2, 2], [4, 4], num_classes=CLASSES), 32
        )
    if name == "swin_v2_t":
        from torchvision.models.swin_transformer import PatchMergingV2, SwinTransformerBlockV2

        return classified(
            torchvision.models.SwinTransformer(
                [4, 4],
                16,
                [2, 2],
                [2, 2],
                [4, 4],
                num_classes=CLASSES,
                block=SwinTransformerBlockV2,
                downsample_layer=PatchMergingV2,
            ),
            32,
        )
    return classified(getattr(torchvision.models, name)(num_classes=CLASSES, **more), size)


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for name, given in HF.items():
        yield "hf vision", name, partial(_hf, *given)
    for name, settings in TIMM.items():
        yield "timm", f"timm_{name}", partial(_timm, name, settings)
    for name in VISION:
        yield "torchvision", f"tv_{name}", partial(_vision, name)
